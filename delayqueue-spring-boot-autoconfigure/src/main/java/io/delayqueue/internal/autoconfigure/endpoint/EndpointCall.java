// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import io.delayqueue.control.AccessRefusedException;
import io.delayqueue.control.Caller;
import io.delayqueue.internal.control.web.Parameters;
import io.delayqueue.internal.input.PrintableText;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to the endpoint.
 *
 * @param given all parameters of the query and members of the body
 * @param isForeignHost whether an unknown caller asked for a host that may be another site's name for this one
 */
public record EndpointCall(Caller caller, Map<String, @Nullable Object> given, boolean isForeignHost) {

    static final String FOREIGN_HOST =
            "The endpoint is not open under this host name. Ask for localhost or an IP address,"
                    + " sign in, or add the name to management.endpoint.delayqueue.hosts";

    private static final int LONGEST_NAME = 80;

    /**
     * Returns the parameters.
     *
     * @throws IllegalArgumentException if one has no value or several
     * @throws AccessRefusedException if the host is a foreign one
     */
    Parameters parameters(Instant now) {
        if (isForeignHost) {
            throw new AccessRefusedException(FOREIGN_HOST);
        }
        Map<String, String> values = new LinkedHashMap<>();
        given.forEach((name, value) -> {
            if (!(value instanceof String text) || text.isBlank()) {
                throw new IllegalArgumentException(
                        "'" + PrintableText.of(name, LONGEST_NAME) + "' must have one value; leave it out for none");
            }
            values.put(name, text);
        });
        return new Parameters(values, Map.of(), now);
    }
}
