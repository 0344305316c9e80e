// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.mvc;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request as it would be for another path of the same application. What is noted on it is not on the real one. */
final class RequestElsewhere extends HttpServletRequestWrapper {

    private final String path;
    private final Map<String, Object> attributes = new HashMap<>();

    /** @param path within the context path */
    RequestElsewhere(HttpServletRequest request, String path) {
        super(request);
        this.path = path;
    }

    @Override
    public String getRequestURI() {
        return getContextPath() + path;
    }

    @Override
    public String getServletPath() {
        return path;
    }

    @Override
    public @Nullable String getPathInfo() {
        return null;
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return attributes.get(name);
    }

    @Override
    public void setAttribute(String name, Object value) {
        attributes.put(name, value);
    }

    @Override
    public void removeAttribute(String name) {
        attributes.remove(name);
    }
}
