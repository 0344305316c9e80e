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
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
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
        coupons.issued("unused", Duration.ZERO);
        await().until(() -> coupons.expired.contains("unused"));
        assertThat(coupons.expired).doesNotContain("used");
    }

    /** The page says how long it takes to move as many as the system property names. */
    @Test
    @SuppressWarnings("deprecation") // of the old queue
    void elementsOfTheOldQueueAreMovedWithTheirDueTimes(RedisServer redis) {
        int elements = Integer.getInteger("delayqueue.guide.redisson.elements", 2_000);
        Config config = new Config();
        config.setCodec(StringCodec.INSTANCE);
        config.useSingleServer()
                .setAddress(redis.adminUri().toString())
                .setConnectionMinimumIdleSize(1)
                .setConnectTimeout(30_000);
        RedissonClient redisson = Redisson.create(config);
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
