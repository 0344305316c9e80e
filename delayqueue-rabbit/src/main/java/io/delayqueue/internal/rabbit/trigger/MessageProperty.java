// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.trigger;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.rabbit.RabbitHeaders;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A message property that is set by a header of the task. */
enum MessageProperty {
    /** The priority in the broker's queue. */
    PRIORITY(RabbitHeaders.PRIORITY, "a number from 0 to 255", text -> isNumber(text, 255)),
    /** How long the broker keeps the message. */
    EXPIRATION(RabbitHeaders.EXPIRATION, "milliseconds, from 0 to 4294967295", text -> isNumber(text, 4_294_967_295L)),
    /** The type of the message. */
    TYPE(RabbitHeaders.TYPE, "a string of at most 255 bytes", OutgoingMapper::isShortString);

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,10}");

    private final String header;
    private final String requirement;
    private final Predicate<String> allowed;

    MessageProperty(String header, String requirement, Predicate<String> allowed) {
        this.header = header;
        this.requirement = requirement;
        this.allowed = allowed;
    }

    /** Returns the value of the task's header, or null. */
    @Nullable
    String of(Delivery delivery) {
        return delivery.content().headers().get(header);
    }

    static void removeFrom(Map<String, Object> headers) {
        for (MessageProperty each : values()) {
            headers.remove(each.header);
        }
    }

    /** Returns the problem with the task's headers for message properties; null if there is none. */
    static @Nullable String objectionTo(Delivery delivery) {
        for (MessageProperty each : values()) {
            String value = each.of(delivery);
            if (value != null && !each.allowed.test(value)) {
                return "its header " + each.header + " must be " + each.requirement;
            }
        }
        return null;
    }

    private static boolean isNumber(String text, long most) {
        return NUMBER.matcher(text).matches() && Long.parseLong(text) <= most;
    }
}
