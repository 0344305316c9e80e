// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.html;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An address of the console. Immutable.
 *
 * @param text the address as written in a page
 */
public record Address(String text) {

    /** Returns this address with a parameter, unless the value is {@code null} or empty. */
    public Address with(String name, @Nullable Object value) {
        return value == null || value.toString().isEmpty()
                ? this
                : new Address(
                        text + (text.indexOf('?') < 0 ? "?" : "&") + encoded(name) + "=" + encoded(value.toString()));
    }

    public Address with(Map<String, ?> parameters) {
        Address address = this;
        for (Map.Entry<String, ?> parameter : parameters.entrySet()) {
            address = address.with(parameter.getKey(), parameter.getValue());
        }
        return address;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return text;
    }
}
