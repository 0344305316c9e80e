// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.redis;

import io.lettuce.core.RedisCommandExecutionException;

/** A script has run, and its connection broke before the replicas had been counted. Does not leave this package. */
final class ReplicasUnknownException extends Exception {

    private static final long serialVersionUID = 1L;

    private final Throwable reason;

    ReplicasUnknownException(Throwable reason) {
        super("The script has run; which replicas have it is not known", reason);
        this.reason = reason;
    }

    Throwable reason() {
        return reason;
    }

    /** Whether the server did not count them because this user may not ask. */
    boolean isRefusal() {
        return reason instanceof RedisCommandExecutionException refusal
                && String.valueOf(refusal.getMessage()).contains("NOPERM");
    }
}
