// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

/** Thrown if a script has run but its replicas could not be counted. Used only within this package. */
final class ReplicasUnknownException extends Exception {

    private static final long serialVersionUID = 1L;

    private final Throwable reason;

    ReplicasUnknownException(Throwable reason) {
        super("The script has run; it is unknown which replicas have it", reason);
        this.reason = reason;
    }

    Throwable reason() {
        return reason;
    }
}
