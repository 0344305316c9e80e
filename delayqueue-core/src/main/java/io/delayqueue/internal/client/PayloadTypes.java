// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.InvalidTaskException;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.annotation.TaskType;
import io.delayqueue.internal.codec.PayloadCodecs;
import java.util.Map;

/** The types and versions of payload classes, cached. */
final class PayloadTypes {

    private static final int LONGEST = 128;

    private final ClassValue<Map<String, String>> headers = new ClassValue<>() {
        @Override
        protected Map<String, String> computeValue(Class<?> payload) {
            TaskType type = payload.getAnnotation(TaskType.class);
            int version = PayloadCodecs.statedVersion(payload);
            return Map.of(
                    TaskHeaders.TYPE,
                    (type == null) ? "" : checked(type.value(), payload),
                    TaskHeaders.VERSION,
                    (version == 0) ? "" : Integer.toString(version));
        }
    };

    /** Returns the headers for type and version; each is empty if the payload's class does not declare it. */
    Map<String, String> of(Object payload) {
        return headers.get(payload.getClass());
    }

    /** Adds the payload's type and version if its class declares them. */
    void addTo(Map<String, String> headers, Object payload) {
        of(payload).forEach((name, value) -> {
            if (!value.isEmpty()) {
                headers.put(name, value);
            }
        });
    }

    private static String checked(String name, Class<?> payload) {
        if (name.isEmpty() || name.length() > LONGEST || !name.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
            throw new InvalidTaskException("The @TaskType of " + payload.getName() + " must be 1 to " + LONGEST
                    + " printable ASCII characters without spaces");
        }
        return name;
    }
}
