// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.intake;

import com.rabbitmq.client.LongString;
import io.delayqueue.Due;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.rabbit.RabbitHeaders;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the due time from the headers of a message. */
final class MessageDelay {

    private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?[0-9]{1,18}");

    private MessageDelay() {}

    /**
     * Returns the due time of the message: the first present header of {@code x-delay}, {@code x-delay-until} and
     * {@code x-opt-delivery-time}, or now.
     *
     * @throws RefusedMessageException if the header's value is not a time
     */
    static Due of(Map<String, Object> headers) {
        Object delay = headers.get(RabbitHeaders.DELAY);
        if (delay != null) {
            Long millis = delayMillis(delay);
            return millis == null ? Due.now() : due(RabbitHeaders.DELAY, true, millis);
        }
        for (String name : List.of(RabbitHeaders.DELAY_UNTIL, RabbitHeaders.DELIVERY_TIME)) {
            Object until = headers.get(name);
            if (until != null) {
                return due(name, false, epochMillis(name, until));
            }
        }
        return Due.now();
    }

    /** Returns the delay in milliseconds, or null for a value of a type that the plugin ignores. */
    private static @Nullable Long delayMillis(Object value) {
        if (value instanceof Boolean
                || value instanceof Map
                || value instanceof List
                || value instanceof Date
                || value instanceof byte[]) {
            return null;
        }
        if ((value instanceof Float || value instanceof Double) && Double.isFinite(((Number) value).doubleValue())) {
            return ((Number) value).longValue();
        }
        return wholeNumber(RabbitHeaders.DELAY, value, "milliseconds");
    }

    private static long epochMillis(String name, Object value) {
        return value instanceof Date date
                ? date.getTime()
                : wholeNumber(name, value, "milliseconds since the epoch, or an AMQP timestamp");
    }

    private static long wholeNumber(String name, Object value, String meaning) {
        if (value instanceof Byte || value instanceof Short || value instanceof Integer || value instanceof Long) {
            return ((Number) value).longValue();
        }
        String text = String.valueOf(value);
        if ((value instanceof String || value instanceof LongString)
                && WHOLE_NUMBER.matcher(text).matches()) {
            return Long.parseLong(text);
        }
        throw new RefusedMessageException("its header " + name + " must be a whole number of " + meaning);
    }

    private static Due due(String name, boolean relative, long millis) {
        if (millis <= 0) {
            return Due.now();
        }
        try {
            return relative ? new Due(true, millis) : Due.at(Instant.ofEpochMilli(millis));
        } catch (InvalidTaskException ex) {
            throw new RefusedMessageException("its header " + name + " extends beyond the year 9999");
        }
    }
}
