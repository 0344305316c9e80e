// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** Returns the host names of the current servlet request, as reported by the browser and proxies. */
public final class AskedHosts implements Supplier<List<String>> {

    /** Pattern for the path of a change, below the endpoint's own path. */
    private static final Pattern CHANGE = Pattern.compile("(/[^/]+){3}/?$");

    @Override
    public List<String> get() {
        if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes) {
            HttpServletRequest request = attributes.getRequest();
            return Stream.of(request.getHeader("Host"), request.getServerName())
                    .filter(Objects::nonNull)
                    .toList();
        }
        return List.of();
    }

    /** Sets the header {@code Location} of the current response to the address of an operation. */
    public static void locate(String handle) {
        if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes) {
            HttpServletResponse response = attributes.getResponse();
            if (response != null) {
                String endpoint =
                        CHANGE.matcher(attributes.getRequest().getRequestURI()).replaceFirst("");
                response.setHeader("Location", endpoint + "/operations/" + handle);
            }
        }
    }
}
