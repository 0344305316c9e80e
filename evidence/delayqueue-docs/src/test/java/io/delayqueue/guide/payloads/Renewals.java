// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.payloads;

import io.delayqueue.annotation.DelayQueueListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;

@Component
class Renewals {

    final List<RenewalNotice> sent = new CopyOnWriteArrayList<>();

    @DelayQueueListener(queue = "renewals")
    void remind(RenewalNotice renewal) {
        sent.add(renewal);
    }
}
