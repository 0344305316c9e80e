// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.elsewhere;

import io.delayqueue.annotation.DelayQueueListener;

/** A listener that classes of other packages inherit and cannot override. */
public abstract class HiddenListener {

    @DelayQueueListener(queue = "orders")
    void handle(String text) {}
}
