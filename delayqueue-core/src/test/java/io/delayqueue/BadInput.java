// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Malicious or mistaken input: one corpus for the tests of every entry point, in all modules. Input that is hostile in
 * a log line contains {@link #MARK} or a control character.
 */
public final class BadInput {

    /** Stands in payloads and other content that no message and no log line may show. */
    public static final String MARK = "s3cr3t-c0nt3nt";

    /** Line breaks, a second log line made to look real, and a terminal's escape sequence. */
    public static final String FORGERY = "x\r\n2026-01-01 ERROR forged line\u001b[2J\u0000";

    private static final String BOMB = "ha".repeat(512 * 1024);

    private BadInput() {}

    /** One piece of bad input under a name that may be printed. */
    public record Case<T>(String name, T input) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static <T> Case<T> of(String name, T input) {
        return new Case<>(name, input);
    }

    /** No task may be scheduled, looked for or changed under these, nor be routed by them. */
    public static Stream<Case<String>> ids() {
        return Stream.of(
                of("empty", ""),
                of("a space", " "),
                of("blank", "\u2003 \u3000"),
                of("CR LF", "a\r\nb"),
                of("a tab", "a\tb"),
                of("a forged log line", FORGERY),
                of("NUL", "a\u0000"),
                of("DEL", "a\u007f"),
                of("a C1 control", "a\u009b31m"),
                of("next line", "a\u0085b"),
                of("right-to-left override", "\u202egnp"),
                of("a direction isolate", "\u2066a"),
                of("line separator", "a\u2028b"),
                of("paragraph separator", "a\u2029b"),
                of("a lone high surrogate", "a\ud800"),
                of("a lone low surrogate", "a\udfff"),
                of("an escaped byte", "a\udc80"),
                of("one too long", "x".repeat(257)),
                of("one too long in bytes", "\u00fc".repeat(128) + "x"),
                of("1 MB", BOMB));
    }

    /** Ids that stand for something else in a path, a query, a page, a file or a message, and that tasks may have. */
    public static Stream<Case<String>> oddIds() {
        return Stream.of(
                of("a space inside", "order 42"),
                of("spaces around", " a "),
                of("umlauts", "Bestellung-M\u00fcller-\u00c4\u00d6\u00df"),
                of("composed e acute", "caf\u00e9"),
                of("decomposed e acute", "cafe\u0301"),
                of("an e-mail address", "j\u00fcrgen+shop@b\u00fccher.example"),
                of("Arabic", "\u0637\u0644\u0628 42"),
                of("Chinese", "\u8a02\u55ae"),
                of("emoji", "\ud83d\ude00"),
                of("a family", "\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67"),
                of("zero width space", "a\u200bb"),
                of("byte order mark", "\ufeffa"),
                of("a no-break space", "a\u00a0b"),
                of("a private character", "\ue000"),
                of("no character", "a\uffffb"),
                of("a replacement character", "a\ufffdb"),
                of("the last character", "\udbff\udfff"),
                of("slashes", "a/b//c"),
                of("a path", "../../env"),
                of("a backslash", "a\\b"),
                of("a percent sign", "100%"),
                of("an encoded slash", "a%2Fb"),
                of("a colon", "orders:42:a"),
                of("a plus and an ampersand", "a+b&id=c"),
                of("a query and a fragment", "a?b#c"),
                of("a semicolon and a comma", "a;b=c,d"),
                of("quotes", "'a' \"b\" `c` \u201ed\u201c"),
                of("a script", "<script>alert(1)</script>"),
                of("braces", "a {b} ${c} {{d}}"),
                of("a tilde", "~\u007eb"),
                of("a formula", "=1+1"),
                of("an apostrophe before a formula", "'=1+1"),
                of("a full width formula", "\uff1d1"),
                of("the longest", "\u00fc".repeat(128)));
    }

    /** Returns invalid queue names. Those that are possible in a Redis key would name another queue. */
    public static Stream<Case<String>> queueNames() {
        return Stream.concat(
                Stream.concat(ids(), oddIds()),
                Stream.of(
                        of("braces", "{orders}"),
                        of("a closing brace", "orders:0}:tasks"),
                        of("a colon", "orders:0"),
                        of("a glob", "orders*"),
                        of("a path", "../orders"),
                        of("a leading dot", ".orders"),
                        of("a leading dash", "-orders"),
                        of("a full width letter", "\uff4frders"),
                        of("a Kelvin sign", "\u212aorders"),
                        of("65 characters", "q".repeat(65))));
    }

    /** No task may carry these headers. */
    public static Stream<Case<Map<String, String>>> headers() {
        return Stream.of(
                of("no name", Map.of("", "v")),
                of("a name with CR LF", Map.of("a\r\nb", "v")),
                of("a forged name", Map.of(FORGERY, "v")),
                of("a name with NUL", Map.of("a\u0000", "v")),
                of("a name that is not ASCII", Map.of("\u00e4", "v")),
                of("a name with a lone surrogate", Map.of("a\ud800", "v")),
                of("a reserved name", Map.of("dq-routing-key", "v")),
                of("a reserved name in capitals", Map.of("DQ-Token", "9")),
                of("a name of 129", Map.of("n".repeat(129), "v")),
                of("a name of 1 MB", Map.of(BOMB, "v")),
                of("a value with a lone surrogate", Map.of("k", MARK + "\ud800")),
                of("a value of 1 MB", Map.of("k", MARK + BOMB)),
                of("a value one byte too long", Map.of("k", MARK + "v".repeat(8 * 1024 - MARK.length()))));
    }

    /** Headers that look bad and are allowed: they arrive as they were given. */
    public static Stream<Case<Map<String, String>>> oddHeaders() {
        return Stream.of(
                of("CR LF in a value", Map.of("k", MARK + "\r\nInjected: yes")),
                of("a class name", Map.of("__TypeId__", "javax.script.ScriptEngineManager")),
                of("a message's id", Map.of("id", "1", "timestamp", "never", "contentType", "a/b")),
                of("normalisation twins", Map.of("k", "caf\u00e9", "l", "cafe\u0301")),
                of("an AMQP header", Map.of("CC", "elsewhere", "x-delay", "-1")));
    }

    /** No task may have these payloads. */
    public static Stream<Case<Object>> payloads() {
        Map<String, Object> cycle = new HashMap<>();
        cycle.put(MARK, cycle);
        return Stream.of(
                of("text with a lone high surrogate", MARK + "\ud800"),
                of("text with a lone low surrogate", "\udc00" + MARK),
                of("an object that holds itself", cycle),
                of("an object that cannot be written", new Unwritable()),
                of("1 MB of text", MARK + BOMB),
                of("1 MB of bytes", (MARK + BOMB).getBytes(StandardCharsets.UTF_8)));
    }

    /** No codec writes this. */
    public static final class Unwritable {

        public String getValue() {
            throw new IllegalStateException(FORGERY + MARK);
        }
    }

    /** Returns times at which no task can be due. Even their creation is rejected. */
    public static Stream<Case<Supplier<Due>>> dueTimes() {
        return Stream.of(
                of("the longest delay", () -> Due.after(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999))),
                of("a delay of 10,000 years", () -> Due.after(Duration.ofDays(3_652_500))),
                of("before the epoch", () -> Due.at(Instant.ofEpochMilli(-1))),
                of("the first instant", () -> Due.at(Instant.MIN)),
                of("the last instant", () -> Due.at(Instant.MAX)),
                of("beyond 2^53", () -> Due.at(Instant.ofEpochMilli((1L << 53) + 1))),
                of("the year 10000", () -> Due.at(Instant.parse("+10000-01-01T00:00:00Z"))),
                of("the largest long", () -> new Due(false, Long.MAX_VALUE)),
                of("the smallest long", () -> new Due(false, Long.MIN_VALUE)),
                of("the largest delay", () -> new Due(true, Long.MAX_VALUE)));
    }

    /** A delay that only the server's clock shows to be too long. */
    public static final Due TOO_LATE_ON_THE_SERVER = new Due(true, Due.MAX_EPOCH_MILLIS);

    /** Times that look bad and mean "at once". */
    public static Stream<Case<Due>> passedTimes() {
        return Stream.of(
                of("the epoch", Due.at(Instant.EPOCH)),
                of("a negative delay", Due.after(Duration.ofDays(-1))),
                of("the most negative delay", Due.after(Duration.ofSeconds(Long.MIN_VALUE))),
                of("the most negative milliseconds", new Due(true, Long.MIN_VALUE)));
    }

    /**
     * Payloads to be read as a {@code record Order(String id, int amount)}. They do not fit, and must make nothing
     * else.
     */
    public static Stream<Case<String>> json() {
        String gadget = Gadget.class.getName();
        return Stream.of(
                of("nothing", ""),
                of("NUL", "\u0000"),
                of("null", "null"),
                of("half of it", "{\"id\":\"" + MARK),
                of("another type", "[\"" + MARK + "\"]"),
                of("no number", "{\"id\":\"a\",\"amount\":\"" + MARK + "\"}"),
                of("a token with line breaks", MARK + "\r\nforged"),
                of("a field with line breaks", "{\"" + MARK + "\\r\\n\\u001b[2J\":1}"),
                of("a number that overflows", "{\"amount\":1e999999999}"),
                of("a number of 10,000 digits", "{\"amount\":" + "9".repeat(10_000) + "}"),
                of("NaN", "{\"amount\":NaN}"),
                of("10,000 arrays deep", "[".repeat(10_000) + "]".repeat(10_000)),
                of("10,000 objects deep", "{\"id\":".repeat(10_000) + "1" + "}".repeat(10_000)),
                of("a field 10,000 deep", "{\"x\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}"),
                of("@class", "{\"@class\":\"" + gadget + "\",\"command\":\"" + MARK + "\",\"amount\":\"x\"}"),
                of("a wrapper array", "[\"" + gadget + "\",{\"command\":\"" + MARK + "\"}]"),
                of("a wrapper object", "{\"id\":{\"" + gadget + "\":{\"command\":\"" + MARK + "\"}}}"));
    }

    /** A class that an attacker would like to have instantiated. */
    public static final class Gadget {

        /** Whether it was ever instantiated. */
        public static final AtomicBoolean MADE = new AtomicBoolean();

        public Gadget() {
            MADE.set(true);
        }

        public void setCommand(String command) {
            MADE.set(true);
        }
    }

    /** Members of a shard that this library would not have made ids of. Latin-1: each character is a byte. */
    public static Stream<Case<String>> storedIds() {
        return Stream.of(
                of("empty", ""),
                of("a space", " "),
                of("CR LF", "a\r\nb"),
                of("a forged log line", FORGERY),
                of("NUL", "\u0000"),
                of("a C1 control", "a\u00c2\u009b31m"),
                of("line separator", "a\u00e2\u0080\u00a8b"),
                of("right-to-left override", "\u00e2\u0080\u00aegnp"),
                of("not UTF-8", "a\u00ff\u00fe"),
                of("half a character", "a\u00e2\u0082"),
                of("an encoded surrogate", "\u00ed\u00a0\u0080"),
                of("an overlong slash", "\u00c0\u00af"),
                of("more than Unicode", "\u00f4\u0090\u0080\u0080"),
                of("5,000 long", "x".repeat(5000)),
                of("1 MB", BOMB));
    }

    /** Envelopes that cannot be read. Latin-1. */
    public static Stream<Case<String>> storedEnvelopes() {
        String head = "\u0001C0123456789abcdef";
        return Stream.of(
                of("nothing", ""),
                of("version 0", "\u0000" + MARK),
                of("the version alone", "\u0001"),
                of("half a head", "\u0001C" + MARK),
                of("the head alone", head),
                of("no content type that is known", head + "\u0009\u0000" + MARK),
                of("a negative content type", head + "\u0080\u0000" + MARK),
                of("a content type longer than all", head + "\u0000\u00ff\u00ff\u00ff\u00ff\u0007" + MARK),
                of("a length that overflows", head + "\u0000\u00ff\u00ff\u00ff\u00ff\u00ff" + MARK),
                of("2 billion headers", head + "\u0001\u00ff\u00ff\u00ff\u00ff\u0007" + MARK),
                of("fewer headers than said", head + "\u0001\u0002\u0001k\u0001v"),
                of("a header cut short", head + "\u0001\u0001\u0001k\u007fv" + MARK));
    }

    /** Records of leases and attempts that were not written by this library. */
    public static Stream<Case<String>> storedRecords() {
        String nines = "9".repeat(400);
        return Stream.of(
                of("nothing", ""),
                of("garbage", MARK),
                of("version 0", "0:1:1:1:1:1"),
                of("negative", "1:-1:-1:-1:0:r"),
                of("NaN", "1:nan:nan:nan:0:r"),
                of("hexadecimal", "1:0x10:0x10:0x10:0:r"),
                of("fractions", "1:1.5:1.5:1.5:0:r"),
                of("exponents", "1:1e3:1e3:1e3:0:r"),
                of("more digits than a long", "1:99999999999999999999:99999999999999999999:99999999999999999999:0:r"),
                of("more than a double", "1:" + nines + ":" + nines + ":" + nines + ":0:r"),
                of("failures beyond an int", "1:1000:9999999999:9999999999:1:r"),
                of("three numbers, the last huge", "1:1:1:" + nines),
                of("three numbers, all huge", "1:" + nines + ":" + nines + ":" + nines),
                of("a hold for ever", "1:1:" + nines),
                of("a hold until the year 9999", "1:1:" + Due.MAX_EPOCH_MILLIS),
                of("a due time after the year 9999", "1:9007199254740993:0:0:0:r"),
                of("a lease on a due time after the year 9999", "1:1:1:9007199254740993"),
                of("a forged reason", "1:1000:1:0:0:" + FORGERY + MARK),
                of("a reason of 1 MB", "1:1000:1:0:0:" + BOMB));
    }

    /** Returns values for properties that are numbers, durations or sizes. */
    public static Stream<Case<String>> propertyValues() {
        return Stream.of(
                of("a negative number", "-1"),
                of("zero", "0"),
                of("an int that overflows", "2147483648"),
                of("a long that overflows", "9223372036854775808"),
                of("a number of 10,000 digits", "9".repeat(10_000)),
                of("NaN", "NaN"),
                of("infinity", "Infinity"),
                of("negative infinity", "-Infinity"),
                of("an exponent", "1e999"),
                of("hexadecimal", "0x7fffffff"),
                of("full width digits", "\uff11\uff12"),
                of("Arabic digits", "\u0661\u0662"),
                of("nanoseconds", "1ns"),
                of("a negative duration", "-1s"),
                of("a duration that overflows", "9223372036854775807d"),
                of("the longest duration", "PT2562047788015215H30M7.999999999S"),
                of("the longest in seconds", "9223372036854775807s"),
                of("the most negative in seconds", "-9223372036854775808s"),
                of("a size that overflows", "9223372036854775807TB"),
                of("a placeholder", "${nothing.of.this.name}"),
                of("an expression", "#{T(java.lang.Runtime).getRuntime()}"),
                of("a class", Gadget.class.getName()),
                of("a forged log line", FORGERY),
                of("a lone surrogate", "a\ud800"),
                of("1 MB", BOMB));
    }

    /** Scores that no time has. */
    public static List<Double> storedScores() {
        return List.of(
                Double.NEGATIVE_INFINITY,
                -1e300,
                -1.5,
                -0.0,
                Double.MIN_VALUE,
                1.5,
                9.007199254740993e15,
                1e300,
                Double.POSITIVE_INFINITY);
    }
}
