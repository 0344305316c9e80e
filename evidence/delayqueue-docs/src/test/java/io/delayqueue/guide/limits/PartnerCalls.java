// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.limits;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.RetryLaterException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Service;

@Service
class PartnerCalls {

    final Partner partner = new Partner();

    @DelayQueueListener(queue = "partner-calls")
    void call(DelayedTask<PartnerCall> task) {
        PartnerAnswer answer = partner.call(task.payload());
        if (answer.status() == 429) {
            throw RetryLaterException.closingKey("429: asked to wait", answer.retryAfter());
        }
    }

    /** Takes each call at the second attempt. */
    static final class Partner {

        final List<PartnerCall> calls = new CopyOnWriteArrayList<>();

        PartnerAnswer call(PartnerCall call) {
            boolean isFirst = !calls.contains(call);
            calls.add(call);
            return isFirst ? new PartnerAnswer(429, Duration.ofMillis(300)) : new PartnerAnswer(200, Duration.ZERO);
        }
    }
}
