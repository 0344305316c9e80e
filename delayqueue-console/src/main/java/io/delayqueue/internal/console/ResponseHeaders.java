// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import java.util.LinkedHashMap;
import java.util.Map;

/** Headers that keep a browser from doing with the console's answers what they are not for. */
final class ResponseHeaders {

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private ResponseHeaders() {}

    /** Nobody keeps it: it is of one moment and for one caller. */
    static Map<String, String> page(String type) {
        return headers(type, "no-store");
    }

    /** What a browser saves in place of showing it. */
    static Map<String, String> download(String type, String name) {
        Map<String, String> headers = page(type);
        headers.put("Content-Disposition", "attachment; filename=\"" + name + "\"");
        return headers;
    }

    /** @param forever whether its address changes with its content */
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
