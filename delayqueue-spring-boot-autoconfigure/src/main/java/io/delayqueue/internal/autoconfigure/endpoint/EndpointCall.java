// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.control.AccessRefusedException;
import io.delayqueue.internal.control.web.Parameters;
import io.delayqueue.internal.input.PrintableText;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request to the endpoint.
 *
 * @param given all query parameters and members of the body
 * @param located receives the handle of a started operation, for the header {@code Location}
 * @param isForeignHost whether an unauthenticated caller used a host name that another site may have pointed at this
 *     application
 */
public record EndpointCall(
        Caller caller, Map<String, @Nullable Object> given, Consumer<String> located, boolean isForeignHost) {

    static final String FOREIGN_HOST =
            "The endpoint is not available under this host name. Use localhost or an IP address, sign "
                    + "in, or add the name to management.endpoint.delayqueue.hosts";

    private static final int LONGEST_NAME = 80;

    /**
     * Returns the parameters.
     *
     * @throws IllegalArgumentException if a parameter does not have exactly one value
     * @throws AccessRefusedException if the host is foreign
     */
    Parameters parameters(Instant now) {
        if (isForeignHost) {
            throw new AccessRefusedException(FOREIGN_HOST);
        }
        Map<String, String> values = new LinkedHashMap<>();
        given.forEach((name, value) -> {
            if (!(value instanceof String text) || text.isBlank()) {
                throw new IllegalArgumentException(
                        "'" + PrintableText.of(name, LONGEST_NAME) + "' must have a single value; omit it for none");
            }
            values.put(name, text);
        });
        return new Parameters(values, Map.of(), now);
    }
}
