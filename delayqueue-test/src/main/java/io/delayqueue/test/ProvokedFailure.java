// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

/** What a delivery fails with that {@link DelayQueueTestKit#failNext} was told of. */
public final class ProvokedFailure extends RuntimeException {

    private static final long serialVersionUID = 1;

    ProvokedFailure(String message) {
        super(message);
    }
}
