// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Extra headers for tasks that the current thread schedules. They do not count towards the limits of a task and never
 * replace the task's own headers.
 */
final class AddedHeaders {

    private final ThreadLocal<@Nullable Map<String, String>> current = new ThreadLocal<>();

    <T> T during(Map<String, String> headers, Supplier<T> call) {
        Map<String, String> before = current.get();
        current.set(headers);
        try {
            return call.get();
        } finally {
            if (before == null) {
                current.remove();
            } else {
                current.set(before);
            }
        }
    }

    Map<String, String> addTo(Map<String, String> headers) {
        Map<String, String> added = current.get();
        if (added == null || added.isEmpty()) {
            return headers;
        }
        Map<String, String> all = new LinkedHashMap<>(headers);
        added.forEach(all::putIfAbsent);
        return all;
    }
}
