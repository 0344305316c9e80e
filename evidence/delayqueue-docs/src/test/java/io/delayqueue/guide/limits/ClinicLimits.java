// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.limits;

import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.KeyLimits;
import java.time.Duration;
import java.time.Instant;
import org.springframework.stereotype.Service;

@Service
class ClinicLimits {

    private final DelayQueueAdmin admin;

    ClinicLimits(DelayQueueAdmin admin) {
        this.admin = admin;
    }

    void upgrade(String clinic) {
        admin.setKeyLimits("messages", clinic, KeyLimits.rate(20, Duration.ofSeconds(1)));
    }

    void downgrade(String clinic) {
        admin.setKeyLimits("messages", clinic, KeyLimits.NONE);
    }

    void suspend(String clinic) {
        admin.closeKey("messages", clinic, Instant.MAX);
    }

    void resume(String clinic) {
        admin.openKey("messages", clinic);
    }
}
