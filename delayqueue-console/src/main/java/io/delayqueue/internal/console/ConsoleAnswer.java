// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the console answers. */
public sealed interface ConsoleAnswer {

    int status();

    Map<String, String> headers();

    /** A whole answer. */
    record Whole(int status, Map<String, String> headers, byte[] body) implements ConsoleAnswer {}

    /**
     * A long answer, which is made while it is sent. Each step may block; one that fails has to break the connection off, so
     * that nobody takes the part for the whole.
     *
     * @param ended to be called when no more are taken, whatever the reason; may be called more than once
     */
    record Chunks(int status, Map<String, String> headers, Iterator<String> chunks, Runnable ended)
            implements ConsoleAnswer {}

    /**
     * Events for as long as the browser listens and {@code longest} has not passed; then it asks again, and is looked at anew.
     *
     * @param events what has changed since the step before, and one more in any case, by which both sides know that the other
     *     is still there. Each step may block
     * @param every from one step to the next
     */
    record Events(int status, Map<String, String> headers, Steps events, Duration every, Duration longest)
            implements ConsoleAnswer {}

    /** Steps of a stream of events, made one at a time. */
    @FunctionalInterface
    interface Steps {

        /** Names of events and their data, in their order. */
        Map<String, String> next();
    }

    static ConsoleAnswer html(int status, String html) {
        return new Whole(status, ResponseHeaders.page("text/html;charset=UTF-8"), utf8(html));
    }

    static ConsoleAnswer file(String type, byte[] body, boolean forever) {
        return new Whole(200, ResponseHeaders.file(type, forever), body);
    }

    /** Another page, after a change or instead of this one. */
    static ConsoleAnswer seeOther(String location) {
        Map<String, String> headers = new LinkedHashMap<>(ResponseHeaders.page("text/plain;charset=UTF-8"));
        headers.put("Location", location);
        return new Whole(303, headers, new byte[0]);
    }

    /** A stream for which there is no room; the page's script asks again and again in its place. */
    static Whole noRoom() {
        return new Whole(503, ResponseHeaders.page("text/plain;charset=UTF-8"), new byte[0]);
    }

    static ConsoleAnswer nothing() {
        return new Whole(404, ResponseHeaders.page("text/plain;charset=UTF-8"), new byte[0]);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
