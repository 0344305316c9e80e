// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import io.delayqueue.DelayQueueException;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.QueueStats;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/** Simulates customers: four orders per second; some are paid and some are extended. */
@Component
@ConditionalOnProperty(name = "shop.feed.enabled", matchIfMissing = true)
class ShopFeed {

    private static final Logger log = LoggerFactory.getLogger(ShopFeed.class);
    private static final Duration ENDED_KEPT = Duration.ofHours(1);

    private final OrderService service;
    private final OrderBook book;
    private final ShopCounters counters;
    private final DelayQueueAdmin admin;
    private final ShopProperties properties;

    ShopFeed(
            OrderService service,
            OrderBook book,
            ShopCounters counters,
            DelayQueueAdmin admin,
            ShopProperties properties) {
        this.service = service;
        this.book = book;
        this.counters = counters;
        this.admin = admin;
        this.properties = properties;
    }

    @Scheduled(fixedRate = 250)
    void customerComes() {
        tellInOneLine(this::placePayOrExtend);
    }

    private void placePayOrExtend() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        service.place(random.nextBoolean() ? "a kettle" : "a lamp");
        counters.placed();
        book.open(5).stream().skip(random.nextInt(5)).findFirst().ifPresent(order -> {
            int draw = random.nextInt(10);
            if (draw < 4 && service.pay(order.id())) {
                counters.paid();
            } else if (draw == 4 && service.extend(order.id(), properties.paymentWindow())) {
                counters.extended();
            }
        });
    }

    @Scheduled(initialDelay = 5000, fixedRate = 5000)
    void summary() {
        tellInOneLine(() -> {
            QueueStats stats = admin.stats(OrderService.QUEUE);
            book.forgetEnded(Instant.now().minus(ENDED_KEPT));
            log.info("{}", counters.summary(book.countOpen(), stats.delayed()));
        });
    }

    private static void tellInOneLine(Runnable work) {
        try {
            work.run();
        } catch (DelayQueueException | DataAccessException | TransactionException ex) {
            log.warn(ex.getMessage());
        }
    }
}
