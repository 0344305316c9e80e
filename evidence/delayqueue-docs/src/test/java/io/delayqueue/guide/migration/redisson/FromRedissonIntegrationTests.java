// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.migration.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.guide.GuideTest;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RBlockingQueue;
import org.redisson.api.RDelayedQueue;
import org.redisson.api.RFuture;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.springframework.beans.factory.annotation.Autowired;

@GuideTest
class FromRedissonIntegrationTests {

    @Autowired
    private Coupons coupons;

    @Autowired
    private DelayQueueOperations delayQueue;

    @Test
    void couponWhenItsTimeIsUpExpiresUnlessRedeemed() {
        coupons.issued("used", Duration.ofDays(1));
        coupons.redeemed("used");
        assertThat(delayQueue.find("coupons", "used")).isEmpty();
        coupons.open.put("unused", Instant.now());
        coupons.issued("unused", Duration.ZERO);
        await().until(() -> coupons.closed.contains("unused"));
        assertThat(coupons.closed).doesNotContain("used");
    }

    /** Follows the steps of the page, without moving elements. */
    @Test
    @SuppressWarnings("deprecation") // of the old queue
    void switchOfARunningSystemClosesEachCouponInTimeAndNoOther(RedisServer redis) throws InterruptedException {
        RedissonClient redisson = redisson(redis);
        AtomicBoolean stopped = new AtomicBoolean();
        RBlockingQueue<String> ready = redisson.getBlockingQueue("sales");
        RDelayedQueue<String> old = redisson.getDelayedQueue(ready);
        Thread loop = new Thread(
                () -> { // step 1: calls the same method as the listener
                    while (!stopped.get()) {
                        try {
                            String coupon = ready.poll(100, TimeUnit.MILLISECONDS);
                            if (coupon != null) {
                                coupons.expired(new CouponExpires(coupon));
                            }
                        } catch (InterruptedException ex) {
                            return;
                        }
                    }
                });
        loop.start();
        try {
            for (int i = 0; i < 200; i++) { // the version before
                old.offer(opened("old-" + i, 2_000 + 10 * i), 2_000 + 10 * i, TimeUnit.MILLISECONDS);
            }
            for (int i = 0; i < 200; i++) { // step 2
                coupons.issued(opened("new-" + i, 2_000 + 10 * i), Duration.ofMillis(2_000 + 10 * i));
            }
            for (String redeemed : List.of("old-150", "new-150")) { // step 2: cancels in both
                coupons.open.remove(redeemed);
                coupons.redeemed(redeemed);
                old.remove(redeemed);
            }
            for (String redeemed : List.of("old-151", "new-151")) { // step 3: an old process
                coupons.open.remove(redeemed);
                old.remove(redeemed);
            }
            old.remove("old-152"); // step 2: extends
            coupons.issued(opened("old-152", 6_000), Duration.ofMillis(6_000));

            await().atMost(Duration.ofSeconds(30)).until(() -> old.isEmpty() && ready.isEmpty()); // steps 4 and 6
        } finally {
            stopped.set(true);
            loop.join();
            old.destroy();
            redisson.shutdown();
        }
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(coupons.closed).containsAll(coupons.open.keySet()));
        assertThat(delayQueue.find("coupons", "new-151")).isEmpty(); // it was due, and the row was closed
        assertThat(coupons.closed)
                .hasSizeGreaterThanOrEqualTo(396)
                .doesNotContain("old-150", "new-150", "old-151", "new-151");
    }

    /** Adds the row of a coupon, and returns its name. */
    private String opened(String coupon, int millis) {
        coupons.open.put(coupon, Instant.now().truncatedTo(ChronoUnit.MILLIS).plusMillis(millis));
        return coupon;
    }

    private static RedissonClient redisson(RedisServer redis) {
        Config config = new Config();
        config.setCodec(StringCodec.INSTANCE);
        config.useSingleServer()
                .setAddress(redis.adminUri().toString())
                .setConnectionMinimumIdleSize(1)
                .setConnectTimeout(30_000);
        return Redisson.create(config);
    }

    /** The page has the time for 100,000 elements; the system property sets their number. */
    @Test
    @SuppressWarnings("deprecation") // of the old queue
    void elementsOfTheOldQueueAreMovedWithTheirDueTimes(RedisServer redis) {
        int elements = Integer.getInteger("delayqueue.guide.redisson.elements", 2_000);
        RedissonClient redisson = redisson(redis);
        try {
            RDelayedQueue<String> old = redisson.getDelayedQueue(redisson.getBlockingQueue("coupons"));
            long before = System.currentTimeMillis();
            for (int from = 0; from < elements; from += 1_000) {
                List<RFuture<Void>> offers = new ArrayList<>();
                for (int i = from; i < Math.min(elements, from + 1_000); i++) {
                    offers.add(old.offerAsync("coupon-" + i, i + 10_000, TimeUnit.SECONDS));
                }
                offers.forEach(offer -> offer.toCompletableFuture().join());
            }
            old.destroy();
            long start = System.nanoTime();

            assertThat(new RedissonMover(redisson, delayQueue).move("coupons")).isEqualTo(elements);

            System.out.println("moved " + elements + " in "
                    + Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms");
            assertThat(redisson.getKeys()
                            .countExists("redisson_delay_queue_timeout:{coupons}", "redisson_delay_queue:{coupons}"))
                    .isZero();
            for (int i : new int[] {0, elements / 2, elements - 1}) {
                assertThat(delayQueue.find("coupons", "coupon-" + i, CouponExpires.class))
                        .hasValueSatisfying(task -> {
                            assertThat(task.payload()).isEqualTo(new CouponExpires("coupon-" + i));
                            assertThat(task.dueAt())
                                    .isCloseTo(
                                            Instant.ofEpochMilli(before + (i + 10_000) * 1_000L),
                                            within(60, ChronoUnit.SECONDS));
                        });
            }
            assertThat(new RedissonMover(redisson, delayQueue).move("coupons")).isZero();
        } finally {
            redisson.shutdown();
        }
    }
}
