// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueException;
import org.jspecify.annotations.Nullable;

/** The tables are missing or of another version than the library works with. Says what to run. */
public class SchemaVersionException extends DelayQueueException {

    public SchemaVersionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
