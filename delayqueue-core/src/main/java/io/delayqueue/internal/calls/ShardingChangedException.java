// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.TaskStoreException;
import org.jspecify.annotations.Nullable;

/** Thrown if the caller's sharding of the queue is older than that of an earlier caller. Nothing was changed. */
public class ShardingChangedException extends TaskStoreException {

    private final String sharding;

    /** @param sharding the newer sharding, in its stored form */
    public ShardingChangedException(String message, String sharding, @Nullable Throwable cause) {
        super(message, false, cause);
        this.sharding = sharding;
    }

    public String sharding() {
        return sharding;
    }
}
