// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** Returns the host names in the current servlet request, as reported by the browser and by proxies. */
public final class AskedHosts implements Supplier<List<String>> {

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
}
