// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.migration.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.guide.GuideTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
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
}
