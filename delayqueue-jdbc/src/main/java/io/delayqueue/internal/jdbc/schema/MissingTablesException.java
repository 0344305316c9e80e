// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.schema;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;

/** Thrown if the database does not have the tables. */
public final class MissingTablesException extends InvalidDelayQueueSetupException {

    private static final long serialVersionUID = 1;

    MissingTablesException(String description, String action) {
        super(description, action);
    }
}
