// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import io.delayqueue.DelayQueueException;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.NonRetryableTaskException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * More queues for the console: e-mails with a high load, webhooks that fail for three reasons, reports that take longer
 * than their load allows, and paused invoices.
 */
@Component
@ConditionalOnProperty(name = "shop.feed.enabled", matchIfMissing = true)
class ShopChores {

    static final String EMAILS = "emails";
    static final String WEBHOOKS = "webhooks";
    static final String REPORTS = "reports";
    static final String INVOICES = "invoices";

    private static final Logger log = LoggerFactory.getLogger(ShopChores.class);

    private final AtomicLong numbers = new AtomicLong(System.currentTimeMillis() / 100 % 1_000_000);
    private final DelayQueueOperations tasks;
    private final DelayQueueAdmin admin;

    ShopChores(DelayQueueOperations tasks, DelayQueueAdmin admin) {
        this.tasks = tasks;
        this.admin = admin;
    }

    @EventListener(ApplicationReadyEvent.class)
    void pauseInvoices() {
        admin.pause(INVOICES, "shop", "The accounting system is being migrated", null);
    }

    @Scheduled(fixedRate = 200)
    void sendEmail() {
        schedule(EMAILS, "receipt", Duration.ofSeconds(random(1, 300)));
    }

    @Scheduled(fixedRate = 1000)
    void callPartner() {
        schedule(WEBHOOKS, "order-paid", Duration.ofSeconds(random(1, 120)));
    }

    @Scheduled(fixedRate = 4000)
    void orderReport() {
        schedule(REPORTS, "sales", Duration.ofSeconds(1));
        schedule(INVOICES, "invoice", Duration.ofSeconds(random(10, 3600)));
    }

    private void schedule(String queue, String payload, Duration delay) {
        String customer = "customer-" + random(1, 50);
        ScheduleRequest.Builder<String> request = ScheduleRequest.to(queue, payload)
                .id(payload + "-" + numbers.incrementAndGet())
                .header("customer", customer)
                .dueIn(delay);
        try {
            tasks.schedule(queue.equals(INVOICES) ? request.group(customer).build() : request.build());
        } catch (DelayQueueException ex) {
            log.warn(ex.getMessage());
        }
    }

    @DelayQueueListener(queue = EMAILS)
    void onEmail(String text) throws InterruptedException {
        Thread.sleep(random(5, 40));
    }

    @DelayQueueListener(queue = WEBHOOKS)
    void onWebhook(String event) {
        switch (random(0, 10)) {
            case 0, 1, 2 -> throw new IllegalStateException("503 Service Unavailable from hooks.partner.example");
            case 3, 4 ->
                throw new IllegalStateException(
                        "Read timed out after " + random(3000, 3100) + " ms, order " + random(10_000, 99_999));
            case 5 -> throw new NonRetryableTaskException("404 Not Found: api.partner.example/v2/callback");
            default -> log.debug("The partner was told: {}", event);
        }
    }

    @DelayQueueListener(queue = REPORTS)
    void onReport(String name) throws InterruptedException {
        Thread.sleep(9000);
    }

    @DelayQueueListener(queue = INVOICES)
    void onInvoice(String invoice) {
        log.debug("Sent {}", invoice);
    }

    /** @param below excluded */
    private static int random(int from, int below) {
        return ThreadLocalRandom.current().nextInt(from, below);
    }
}
