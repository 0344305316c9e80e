// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds each script's header against its body and against what the store sends. */
class ScriptHeaderTests {

    private static final Set<String> TYPES = Set.of("ZSET", "HASH", "STRING", "STREAM");
    /** Commands whose only key is their first argument. */
    private static final Set<String> ONE_KEY_COMMANDS = Set.of(
            "GET",
            "SET",
            "DEL",
            "EXISTS",
            "PEXPIRE",
            "HGET",
            "HMGET",
            "HSET",
            "HDEL",
            "HLEN",
            "HSCAN",
            "ZADD",
            "ZREM",
            "ZSCORE",
            "ZRANK",
            "ZCARD",
            "ZCOUNT",
            "ZLEXCOUNT",
            "ZRANGE",
            "ZRANGEBYSCORE",
            "XADD",
            "XDEL",
            "XRANGE",
            "XREVRANGE");
    /** Scripts whose keys are the queue's, not a shard's. */
    private static final Set<Script> OF_THE_QUEUE =
            Set.of(Script.SHARDING_PUT, Script.CLAIM, Script.PACE, Script.PROBE, Script.RATES, Script.RATE_TAKE);
    /** Scripts whose keys are those of all queues together. */
    private static final Map<Script, String> OF_ALL_QUEUES = Map.of(
            Script.OPERATION_PUT, "dq:{operations}:",
            Script.OPERATION_STOP, "dq:{operations}:",
            Script.OPERATIONS_READ, "dq:{operations}:",
            Script.QUEUES_NOTE, "dq:{queues}:",
            Script.AUDIT_PUT, "dq:{audit}:",
            Script.AUDIT_PAGE, "dq:{audit}:");
    /** The prelude's names for what each script hands it. */
    private static final Set<String> PRELUDE_KEYS = Set.of(
            "leases", "index", "holds", "sharding", "token", "history", "groups", "turns", "running", "set", "hash");

    private static String text(String file) {
        try (var in = Script.class.getResourceAsStream(file + ".lua")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (java.io.IOException ex) {
            throw new java.io.UncheckedIOException(ex);
        }
    }

    private static List<String> header(Script script) {
        return text(script.fileName())
                .lines()
                .takeWhile(line -> line.startsWith("--"))
                .toList();
    }

    /** Both acquires end with the same text. */
    private static final Set<Script> ACQUIRES = Set.of(Script.POP_DUE, Script.POP_DUE_LIMITED);

    private static String body(Script script) {
        return String.join(
                "\n",
                (text(script.fileName()) + (ACQUIRES.contains(script) ? "\n" + text("acquire") : ""))
                        .lines()
                        .dropWhile(line -> line.startsWith("--"))
                        .toList());
    }

    private static List<MatchResult> matches(String regex, String text) {
        return Pattern.compile(regex).matcher(text).results().toList();
    }

    /** Names in the header, which must be numbered 1, 2, 3. */
    private static List<String> names(Script script, String array) {
        List<String> names = new ArrayList<>();
        for (String line : header(script)) {
            var entry = matches("^-- " + array + "\\[(\\d+)] +(\\w+)(?: +(\\S+).*)?$", line);
            if (!entry.isEmpty()) {
                assertThat(entry.get(0).group(1)).as(line).isEqualTo(String.valueOf(names.size() + 1));
                if (array.equals("KEYS")) {
                    assertThat(TYPES).as(line).contains(entry.get(0).group(3));
                }
                names.add(entry.get(0).group(2));
            }
        }
        return names;
    }

    private record Repeated(int first, int step) {}

    /** The arguments that repeat for each task, as {@code ARGV[4...] 5 for each}; null if there are none. */
    private static Repeated repeated(Script script) {
        for (String line : header(script)) {
            var entry = matches("^-- ARGV\\[(\\d+)\\.\\.\\.] +(\\d) for each", line);
            if (!entry.isEmpty()) {
                return new Repeated(
                        Integer.parseInt(entry.get(0).group(1)),
                        Integer.parseInt(entry.get(0).group(2)));
            }
        }
        return null;
    }

    /** In Lua, a string never equals a number, and a comparison by size fails. */
    @ParameterizedTest
    @EnumSource(Script.class)
    void argumentWhenComparedAsANumberIsDeclaredAsOne(Script script) {
        String body = body(script);
        header(script).stream()
                .flatMap(line -> matches("^-- ARGV\\[\\d+] +(\\w+) ++(?!NUMBER)", line).stream())
                .map(argument -> argument.group(1))
                .forEach(name -> assertThat(body)
                        .as(name)
                        .doesNotContainPattern("(?<![#\\w.])(?<!- )" + name + " *([<>]|[=~]= *\\d)")
                        .doesNotContainPattern("([<>]=?|\\d *[=~]=) *" + name + "\\b"));
    }

    @ParameterizedTest
    @EnumSource(Script.class)
    void headerWhenReadHasEveryPart(Script script) {
        List<String> header = header(script);

        assertThat(header.get(0)).startsWith("-- " + script.fileName() + ": ").endsWith(".");
        assertThat(names(script, "KEYS")).isNotEmpty();
        assertThat(header).anyMatch(line -> line.startsWith("-- Returns "));
        assertThat(header.get(header.size() - 1)).startsWith("-- Cost: O(");
        assertThat(header).allMatch(line -> line.length() <= 125);
        assertThat(header.stream()
                        .filter(line -> line.matches("-- (KEYS|ARGV)\\[.*"))
                        .count())
                .as("lines that begin with KEYS or ARGV and were understood")
                .isEqualTo(names(script, "KEYS").size()
                        + names(script, "ARGV").size()
                        + (repeated(script) == null ? 0 : 1));
    }

    @ParameterizedTest
    @EnumSource(Script.class)
    void headerWhenReadDeclaresWhatTheBodyUses(Script script) {
        String body = body(script);
        List<String> keys = names(script, "KEYS");
        List<String> arguments = names(script, "ARGV");
        Repeated repeated = repeated(script);
        String declarations = new String(script.source(), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.matches("local .* = KEYS\\[1].*"))
                .findFirst()
                .orElseThrow();

        List<String> names = new ArrayList<>(keys);
        names.addAll(arguments);
        if (repeated != null) {
            assertThat(repeated.first()).isEqualTo(arguments.size() + 1);
            assertThat(declarations)
                    .endsWith(" %d, %d, (#ARGV - %d) / %d"
                            .formatted(repeated.first(), repeated.step(), repeated.first() - 1, repeated.step()));
            names.addAll(List.of("FIRST", "STEP", "count"));
        }
        assertThat(declarations).startsWith("local " + String.join(", ", names) + " = KEYS[1]");
        assertThat(matches("\\[(\\d+)]", declarations))
                .extracting(number -> number.group(1))
                .containsExactlyElementsOf(Stream.of(keys.size(), arguments.size())
                        .flatMap(size -> IntStream.rangeClosed(1, size).mapToObj(String::valueOf))
                        .toList());
        for (String name : names.subList(0, keys.size() + arguments.size())) {
            assertThat(matches("\\b" + name + "\\b", body))
                    .as("uses of " + name)
                    .isNotEmpty();
        }
        assertThat(body).doesNotContain("KEYS[");
        assertThat(matches("ARGV\\[\\d", body)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Script.class)
    void bodyWhenItCallsRedisUsesOnlyKeysOfTheCaller(Script script) {
        String body = body(script);
        List<String> keys = names(script, "KEYS");

        assertOnlyKeys(body, Set.copyOf(keys));
        for (String key : keys) {
            assertThat(matches("(?:local|for|function)[^=\\n]*\\b" + key + "\\b", body))
                    .as("declarations of " + key)
                    .isEmpty();
            assertThat(matches("(?m)^\\s*" + key + "\\s*=", body))
                    .as("assignments to " + key)
                    .isEmpty();
        }
        for (var call : matches("\\b(allow_writes_when_full|earliest)\\(([^)]*)\\)", body)) {
            String expected = call.group(1).equals("earliest") ? "index" : "leases";
            assertThat(call.group(2)).isEqualTo(expected);
        }
        assertThat(body)
                .doesNotContain("while true")
                .doesNotContain("repeat")
                .doesNotContain("loadstring")
                .doesNotContain("call(command");
    }

    @Test
    void preludeWhenItCallsRedisUsesOnlyKeysOfTheCaller() {
        assertOnlyKeys(text("prelude"), PRELUDE_KEYS);
        assertThat(text("prelude")).doesNotContain("KEYS").doesNotContain("ARGV");
    }

    private static void assertOnlyKeys(String body, Set<String> keys) {
        var calls = matches("(?:redis\\.p?call|\\bsend)\\('(\\w+)'(?:, (\\w+))?", body);
        assertThat(matches("(?:redis\\.p?call|\\bsend)\\((?!command, key, )", body))
                .as("calls that were understood")
                .hasSameSizeAs(calls);
        for (var call : calls) {
            switch (call.group(1)) {
                case "TIME" -> assertThat(call.group(2)).isNull();
                case "PUBLISH" -> assertThat(call.group(2)).isEqualTo("channel");
                default -> {
                    assertThat(ONE_KEY_COMMANDS).contains(call.group(1));
                    assertThat(keys).as(call.group()).contains(call.group(2));
                }
            }
        }
    }

    @Test
    void filesWhenListedAreTheScriptsAndWhatTheyShare() throws Exception {
        var folder = java.nio.file.Path.of(
                        Script.class.getResource("prelude.lua").toURI())
                .getParent();
        try (var files = java.nio.file.Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".lua")))
                    .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                    Stream.of("prelude.lua", "acquire.lua"),
                                    Arrays.stream(Script.values())
                                            .map(s -> s.name().toLowerCase(Locale.ROOT) + ".lua"))
                            .toList());
        }
    }

    @ParameterizedTest
    @EnumSource(Script.class)
    void storeWhenItCallsSendsTheKeysAndArgumentsOfTheHeader(Script script) {
        List<SentScripts.Sent> calls = SentScripts.ofEveryStoreMethod().stream()
                .filter(sent -> sent.sha1().equals(script.sha1()))
                .toList();

        assertThat(calls).as("calls that ran " + script).hasSize(1);
        SentScripts.Sent sent = calls.get(0);
        String prefix =
                OF_ALL_QUEUES.getOrDefault(script, OF_THE_QUEUE.contains(script) ? "dq:{orders}:" : "dq:{orders:3}:");
        assertThat(sent.keys())
                .isEqualTo(names(script, "KEYS").stream()
                        .map(name -> prefix
                                + switch (name) {
                                    case "claim" -> "migrator";
                                    default -> name;
                                })
                        .toList());
        Repeated repeated = repeated(script);
        int fixed = names(script, "ARGV").size();
        assertThat(sent.args()).hasSize(fixed + (repeated == null ? 0 : SentScripts.BATCH * repeated.step()));
        List<String> argumentNames = names(script, "ARGV");
        for (int i = 0; i < fixed; i++) {
            if (argumentNames.get(i).equals("holder")) {
                assertThat(sent.args().get(i)).matches("\\d+@[!-.0-~]+/[0-9a-z]{1,6}");
                continue;
            }
            assertThat(SentScripts.VALUES)
                    .as(script + " " + argumentNames.get(i))
                    .containsKey(argumentNames.get(i));
            assertThat(sent.args().get(i))
                    .as(argumentNames.get(i))
                    .isEqualTo(SentScripts.VALUES.get(argumentNames.get(i)));
        }
    }

    @Test
    void storeWhenEveryMethodWasCalledRanEveryScript() {
        assertThat(SentScripts.ofEveryStoreMethod())
                .extracting(SentScripts.Sent::sha1)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Script.values()).map(Script::sha1).toList());
    }
}
