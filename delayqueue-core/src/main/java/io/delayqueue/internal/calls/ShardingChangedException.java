// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.TaskStoreException;
import org.jspecify.annotations.Nullable;

/** The caller goes by an older sharding of the queue than somebody before it. Nothing was changed. */
public class ShardingChangedException extends TaskStoreException {

    private final String sharding;

    /** @param sharding the newer sharding, as stored */
    public ShardingChangedException(String message, String sharding, @Nullable Throwable cause) {
        super(message, false, cause);
        this.sharding = sharding;
    }

    /** The newer sharding, as stored. */
    public String sharding() {
        return sharding;
    }
}
