// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import io.delayqueue.autoconfigure.QueueProperties;
import io.delayqueue.queue.QueueNames;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the properties say about one queue: its own value, or else that of the defaults, or else what is built in, each
 * with the name of the property it came from.
 *
 * @param name of the queue
 * @param own under {@code delayqueue.queues.<name>}
 * @param defaults under {@code delayqueue.defaults}
 */
public record QueueValues(String name, QueueProperties own, QueueProperties defaults) {

    /** @param path of the property below the queue, such as {@code retry.jitter} */
    public <T> PropertyValue<T> get(String path, Function<QueueProperties, @Nullable T> value, T builtIn) {
        PropertyValue<T> configured = find(path, value);
        return (configured != null) ? configured : new PropertyValue<>(property(path), builtIn);
    }

    /** The value of a property without a built-in one; null if nothing is configured. */
    public <T> @Nullable PropertyValue<T> find(String path, Function<QueueProperties, @Nullable T> value) {
        T ownValue = value.apply(own);
        if (ownValue != null) {
            return new PropertyValue<>(property(path), ownValue);
        }
        T inherited = value.apply(defaults);
        return (inherited != null) ? new PropertyValue<>("delayqueue.defaults." + path, inherited) : null;
    }

    /** The value alone, of what may be absent. */
    @Nullable
    public String text(String path, Function<QueueProperties, @Nullable String> value) {
        PropertyValue<String> configured = find(path, value);
        return (configured == null) ? null : configured.value();
    }

    /** The name of the queue's own property. */
    public String property(String path) {
        return property() + "." + path;
    }

    /** The name of the property that holds the whole queue. */
    public String property() {
        return QueueNames.property(name);
    }
}
