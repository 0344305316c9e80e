// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.lettuce.core.RedisCommandExecutionException;

/** A script has run, and the replicas could not be counted. Does not leave this package. */
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

    /** Whether the server answered that it will not count them, so that it is no use to ask again. */
    boolean isRefusal() {
        return reason instanceof RedisCommandExecutionException
                && !RedisErrors.isTransientReply(reason)
                && !RedisErrors.isDemotion(reason);
    }
}
