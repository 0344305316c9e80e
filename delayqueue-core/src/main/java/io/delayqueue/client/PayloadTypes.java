// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.InvalidHeaderException;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.annotation.TaskType;
import java.util.HashMap;
import java.util.Map;

/** The types of payloads, by their classes. Each class is looked at once. */
final class PayloadTypes {

    private static final int LONGEST = 128;

    /** Empty for those without a type. */
    private final ClassValue<String> names = new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> payload) {
            TaskType type = payload.getAnnotation(TaskType.class);
            return (type == null) ? "" : checked(type.value(), payload);
        }
    };

    /** The type of a payload; empty for one without a type. */
    String of(Object payload) {
        return names.get(payload.getClass());
    }

    /** The headers, with the type of the payload where its class has one. */
    Map<String, String> addTo(Map<String, String> headers, Object payload) {
        String name = of(payload);
        if (name.isEmpty()) {
            return headers;
        }
        Map<String, String> both = new HashMap<>(headers);
        both.put(TaskHeaders.TYPE, name);
        return both;
    }

    private static String checked(String name, Class<?> payload) {
        if (name.isEmpty() || name.length() > LONGEST || !name.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
            throw new InvalidHeaderException("The @TaskType of " + payload.getName() + " must be 1 to " + LONGEST
                    + " printable ASCII characters without spaces");
        }
        return name;
    }
}
