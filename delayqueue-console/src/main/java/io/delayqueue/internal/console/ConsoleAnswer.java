// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import io.delayqueue.internal.console.page.Export;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** A response of the console. */
public sealed interface ConsoleAnswer {

    int status();

    Map<String, String> headers();

    /** A complete response. */
    record Whole(int status, Map<String, String> headers, byte[] body) implements ConsoleAnswer {}

    /**
     * A long response that is produced while it is sent. Each step may block. If a step fails, abort the connection, so
     * that the client does not mistake the part for the complete response. Always close the chunks.
     */
    record Chunks(int status, Map<String, String> headers, Export.Pieces chunks) implements ConsoleAnswer {}

    static ConsoleAnswer html(int status, String html) {
        return new Whole(
                status, ResponseHeaders.page("text/html;charset=UTF-8"), html.getBytes(StandardCharsets.UTF_8));
    }

    static ConsoleAnswer file(String type, byte[] body, boolean forever) {
        return new Whole(200, ResponseHeaders.file(type, forever), body);
    }

    /** Sends the browser to another page. */
    static ConsoleAnswer seeOther(String location) {
        Map<String, String> headers = new LinkedHashMap<>(ResponseHeaders.page("text/plain;charset=UTF-8"));
        headers.put("Location", location);
        return new Whole(303, headers, new byte[0]);
    }

    static ConsoleAnswer nothing() {
        return new Whole(404, ResponseHeaders.page("text/plain;charset=UTF-8"), new byte[0]);
    }
}
