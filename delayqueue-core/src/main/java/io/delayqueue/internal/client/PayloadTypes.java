// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.InvalidTaskException;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.annotation.TaskType;
import io.delayqueue.internal.codec.PayloadCodecs;
import java.util.HashMap;
import java.util.Map;

/** The types and versions of payload classes, cached. */
final class PayloadTypes {

    private static final int LONGEST = 128;

    private final ClassValue<Stated> stated = new ClassValue<>() {
        @Override
        protected Stated computeValue(Class<?> payload) {
            TaskType type = payload.getAnnotation(TaskType.class);
            return new Stated(
                    (type == null) ? "" : checked(type.value(), payload), PayloadCodecs.statedVersion(payload));
        }
    };

    /**
     * The type and the version that a payload class declares.
     *
     * @param type empty for none
     * @param version 0 for none
     */
    record Stated(String type, int version) {}

    Stated of(Object payload) {
        return stated.get(payload.getClass());
    }

    /** Returns the headers with the payload's type and version if its class declares them. */
    Map<String, String> addTo(Map<String, String> headers, Object payload) {
        Stated of = of(payload);
        if (of.type().isEmpty() && of.version() == 0) {
            return headers;
        }
        Map<String, String> all = new HashMap<>(headers);
        if (!of.type().isEmpty()) {
            all.put(TaskHeaders.TYPE, of.type());
        }
        if (of.version() > 0) {
            all.put(TaskHeaders.VERSION, Integer.toString(of.version()));
        }
        return all;
    }

    private static String checked(String name, Class<?> payload) {
        if (name.isEmpty() || name.length() > LONGEST || !name.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
            throw new InvalidTaskException("The @TaskType of " + payload.getName() + " must be 1 to " + LONGEST
                    + " printable ASCII characters without spaces");
        }
        return name;
    }
}
