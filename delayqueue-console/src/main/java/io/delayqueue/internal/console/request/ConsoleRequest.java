// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.request;

import io.delayqueue.control.Caller;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What somebody asks the console for.
 *
 * @param method of HTTP, in capitals
 * @param path behind the console's own, as it was sent: empty, or a slash and more
 * @param parameters of the query and of the form, decoded; of each name the first
 * @param caller who asks
 * @param base with which the console's addresses begin for the browser: what a proxy has cut off, the application's
 *     context path and the console's path
 * @param csrf what the application's own protection wants in each form; null where it has none
 * @param origin what tells where a change comes from
 * @param wantsEvents whether a stream of events is asked for
 */
public record ConsoleRequest(
        String method,
        String path,
        Map<String, String> parameters,
        Caller caller,
        String base,
        @Nullable Csrf csrf,
        Origin origin,
        boolean wantsEvents) {

    /** The parameter by which a script says that it renews a page. */
    public static final String RENEWAL = "renewal";

    /** The token of the application's own protection, which has checked it before the request comes here. */
    public record Csrf(String parameter, String token) {}

    /**
     * Headers by which a browser tells where a request comes from.
     *
     * @param fetchSite {@code Sec-Fetch-Site}
     * @param origin {@code Origin}
     * @param host to whom the request was sent: host, colon and port, the port left out where it is that of the scheme
     */
    public record Origin(
            @Nullable String fetchSite, @Nullable String origin, String host) {}

    /** A parameter; null where there is none, or nothing but blanks. */
    public @Nullable String parameter(String name) {
        String value = parameters.get(name);
        return value == null || value.isBlank() ? null : value;
    }

    /** Whether a page that is open already is to be renewed, by a stream of events or by a script that asks again and again. */
    public boolean isRenewal() {
        return wantsEvents || parameter(RENEWAL) != null;
    }

    /** Whether nothing but the headers is asked for. */
    public boolean isHead() {
        return method.equals("HEAD");
    }

    /** Whether a file is asked for, which has no forms. */
    public boolean isForFile() {
        return path.startsWith("/assets/") || path.endsWith("/tasks.csv") || path.endsWith("/tasks.json");
    }

    /**
     * The same with what the application's protection wants in forms. It is read for pages only, since to read it may begin a
     * session.
     */
    public ConsoleRequest with(Csrf token) {
        return new ConsoleRequest(method, path, parameters, caller, base, token, origin, wantsEvents);
    }

    /** Whether a header {@code Accept} names the type of event streams. One that cannot be read names nothing. */
    public static boolean wantsEvents(@Nullable String accept) {
        return accept != null && accept.toLowerCase(Locale.ROOT).contains("text/event-stream");
    }
}
