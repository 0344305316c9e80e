// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import io.delayqueue.DelayQueueException;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.QueueStats;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Made-up customers, so that there is something to watch: four orders a second, some paid, some extended. */
@Component
@ConditionalOnProperty(name = "shop.feed.enabled", matchIfMissing = true)
class ShopFeed {

    private static final Logger log = LoggerFactory.getLogger(ShopFeed.class);

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
        book.all().stream()
                .filter(order -> order.status() == Order.Status.OPEN)
                .skip(random.nextInt(5))
                .findFirst()
                .ifPresent(order -> {
                    int draw = random.nextInt(10);
                    if (draw < 4) {
                        service.pay(order.id());
                    } else if (draw < 5) {
                        Duration window = properties.paymentWindow();
                        service.extend(order.id(), window);
                    }
                });
    }

    @Scheduled(initialDelay = 5000, fixedRate = 5000)
    void summary() {
        tellInOneLine(() -> {
            QueueStats stats = admin.stats(OrderService.QUEUE);
            log.info("{}", counters.summary(book.open(), stats.delayed()));
        });
    }

    private static void tellInOneLine(Runnable work) {
        try {
            work.run();
        } catch (DelayQueueException ex) {
            log.warn(ex.getMessage());
        }
    }
}
