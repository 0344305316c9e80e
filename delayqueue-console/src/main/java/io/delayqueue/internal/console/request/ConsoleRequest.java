// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.request;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.console.html.Links;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.control.web.Parameters;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request to the console.
 *
 * @param method the HTTP method, in capitals
 * @param path the path below that of the console, as sent; empty or beginning with a slash
 * @param parameters parameters of the query and of the form, decoded; the first value of each name
 * @param caller the caller who sent it
 * @param base prefix of the console's addresses in the browser: the prefix that a proxy removed, the context path and
 *     the console's path
 * @param hiddenFields fields that the application's own protection requires in each form. Read them for pages only,
 *     because reading may start a session
 * @param origin the origin of the request, as the browser reports it
 * @param now the time of the request
 */
public record ConsoleRequest(
        String method,
        String path,
        Map<String, String> parameters,
        Caller caller,
        String base,
        Supplier<Map<String, String>> hiddenFields,
        Origin origin,
        Instant now) {

    private static final Map<String, String> LABELS = Map.ofEntries(
            Map.entry("id", "Task id"),
            Map.entry("idPrefix", "Id starts with"),
            Map.entry("key", "Key"),
            Map.entry("group", "Group"),
            Map.entry("from", "From"),
            Map.entry("until", "Until"),
            Map.entry("reason", "Reason contains"),
            Map.entry("exactReason", "Reason is exactly"),
            Map.entry("withoutReason", "Without a reason"),
            Map.entry("reasonKind", "Reason like"),
            Map.entry("header", "Header"),
            Map.entry("retrying", "An attempt has failed"),
            Map.entry("rate", "Rate"),
            Map.entry("concurrency", "In progress at most"),
            Map.entry("action", "Action"),
            Map.entry("all", "All tasks in this queue"),
            Map.entry("to", "New due time"),
            Map.entry("over", "Spread over"),
            Map.entry("by", "Postpone by"),
            Map.entry("perSecond", "Rate limit (tasks/s)"),
            Map.entry("for", "Pause for"),
            Map.entry("shards", "Shards"),
            Map.entry("confirm", "Name of the queue"),
            Map.entry("size", "Tasks a page"));

    /** Parameter of a script's request for the current parts of a page. */
    public static final String RENEWAL = "renewal";

    /**
     * Headers that state the origin of a request. A page cannot choose them.
     *
     * @param fetchSite {@code Sec-Fetch-Site}
     * @param origin {@code Origin}
     * @param host the requested host as name, colon and port, without the default port of the scheme
     */
    public record Origin(
            @Nullable String fetchSite, @Nullable String origin, String host) {

        /** Returns whether the request comes from a page of the console, according to the browser. */
        public boolean isOwn() {
            if (fetchSite != null) {
                return fetchSite.equals("same-origin");
            }
            int scheme = origin == null ? -1 : origin.indexOf("://");
            return origin != null && scheme > 0 && origin.substring(scheme + 3).equalsIgnoreCase(host);
        }
    }

    /** Returns a parameter, or {@code null} if it is missing or blank. */
    public @Nullable String parameter(String name) {
        String value = parameters.get(name);
        return value == null || value.isBlank() ? null : value;
    }

    /** Returns the parameters as values of form fields. Messages use the labels of the fields. */
    public Parameters fields() {
        return new Parameters(parameters, LABELS, now);
    }

    /** Returns the addresses of pages for the caller's browser. */
    public Links links() {
        return new Links(base);
    }

    /** Returns words for moments, as seen at the time of the request. */
    public Moments moments() {
        return new Moments(now);
    }

    /** Returns the label of a field, in quotation marks. */
    public static String quotedLabel(String field) {
        return "'" + LABELS.getOrDefault(field, field) + "'";
    }

    /** Returns the field whose label is at the beginning of a message; null for none. */
    public static @Nullable String fieldOf(String message) {
        return LABELS.entrySet().stream()
                .filter(label -> message.startsWith("'" + label.getValue() + "' "))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    /** Returns whether a script requests the current parts of an open page. */
    public boolean isRenewal() {
        return parameter(RENEWAL) != null;
    }
}
