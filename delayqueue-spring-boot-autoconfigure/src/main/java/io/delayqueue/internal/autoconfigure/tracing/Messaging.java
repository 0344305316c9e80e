// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.tracing;

import io.micrometer.common.KeyValues;
import org.jspecify.annotations.Nullable;

/** The attributes of OpenTelemetry's semantic conventions for messaging. */
final class Messaging {

    private Messaging() {}

    static KeyValues lowCardinality(String system, String operation, String type, String destination) {
        return KeyValues.of(
                "messaging.destination.name", destination,
                "messaging.operation.name", operation,
                "messaging.operation.type", type,
                "messaging.system", system);
    }

    static KeyValues highCardinality(@Nullable String id, @Nullable Throwable error) {
        KeyValues values = (id == null) ? KeyValues.empty() : KeyValues.of("messaging.message.id", id);
        return (error == null)
                ? values
                : values.and("error.type", error.getClass().getName());
    }
}
