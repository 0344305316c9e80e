// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

/** The failure of a delivery that {@link DelayQueueTestKit#failNext} requested. */
final class ProvokedFailure extends RuntimeException {

    private static final long serialVersionUID = 1;

    ProvokedFailure(String message) {
        super(message);
    }
}
