// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.migration.redisson;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.TypedQueue;
import io.delayqueue.annotation.DelayQueueListener;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Service;

@Service
class Coupons {

    /** The rows of open coupons, with the ends of their validity. */
    final Map<String, Instant> open = new ConcurrentHashMap<>();

    final Set<String> closed = ConcurrentHashMap.newKeySet();
    private final TypedQueue<CouponExpires> expiries;

    Coupons(DelayQueueOperations delayQueue) {
        this.expiries = delayQueue.queue("coupons", CouponExpires.class);
    }

    void issued(String coupon, Duration validFor) {
        expiries.schedule(coupon, new CouponExpires(coupon), Due.after(validFor));
    }

    void redeemed(String coupon) {
        expiries.cancel(coupon);
    }

    @DelayQueueListener(queue = "coupons")
    void expired(CouponExpires expiry) {
        closeIfOver(expiry.coupon());
    }

    private void closeIfOver(String coupon) {
        Instant end = open.get(coupon);
        if (end != null && !end.isAfter(Instant.now())) {
            closed.add(coupon);
        }
    }
}
