// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import java.util.LinkedHashMap;
import java.util.Map;

/** Security and caching headers of the console's responses. */
final class ResponseHeaders {

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private ResponseHeaders() {}

    /** Headers of a page. They forbid caching. */
    static Map<String, String> page(String type) {
        return headers(type, "no-store");
    }

    /** Headers of a file that the browser downloads. */
    static Map<String, String> download(String type, String name) {
        Map<String, String> headers = page(type);
        headers.put("Content-Disposition", "attachment; filename=\"" + name + "\"");
        return headers;
    }

    /** @param forever whether the address of the file changes with its content */
    static Map<String, String> file(String type, boolean forever) {
        return headers(type, forever ? "public, max-age=31536000, immutable" : "no-store");
    }

    private static Map<String, String> headers(String type, String cache) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", type);
        headers.put("Cache-Control", cache);
        headers.put("Content-Security-Policy", POLICY);
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("X-Frame-Options", "DENY");
        headers.put("Referrer-Policy", "same-origin");
        headers.put("Cross-Origin-Resource-Policy", "same-origin");
        headers.put("X-Robots-Tag", "noindex");
        return headers;
    }
}
