// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The keys and arguments that the header of a script declares. A script uses them by their names, for example {@code
 * clock_offset} for {@code ARGV[1]}. An argument that the header declares as {@code NUMBER} is converted to a number.
 *
 * @param keys names of the keys, in order
 * @param arguments names of the arguments that do not repeat, in order
 * @param declarations a statement that declares the keys and arguments as local variables. If arguments repeat, it also
 *     defines {@code FIRST} (position of the first such argument), {@code STEP} (number of arguments per task) and
 *     {@code count} (number of tasks)
 */
record ScriptHeader(List<String> keys, List<String> arguments, String declarations) {

    /** Parses a script. Avoids regular expressions, because this delays the start of an application. */
    static ScriptHeader of(String script) {
        List<String> keys = new ArrayList<>();
        List<String> arguments = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        script.lines().takeWhile(line -> line.startsWith("--")).forEach(line -> {
            StringTokenizer words = new StringTokenizer(line + " - -");
            words.nextToken();
            String place = words.nextToken();
            String name = words.nextToken();
            if (place.startsWith("KEYS[")) {
                keys.add(name);
                names.add(name);
                values.add(place);
            } else if (place.endsWith("...]")) {
                int first = Integer.parseInt(place, 5, place.length() - 4, 10);
                names.addAll(List.of("FIRST", "STEP", "count"));
                values.addAll(List.of(Integer.toString(first), name, "(#ARGV - " + (first - 1) + ") / " + name));
            } else if (place.startsWith("ARGV[")) {
                arguments.add(name);
                names.add(name);
                values.add(words.nextToken().equals("NUMBER") ? "tonumber(" + place + ")" : place);
            }
        });
        String declarations = "local " + String.join(", ", names) + " = " + String.join(", ", values) + "\n";
        return new ScriptHeader(keys, arguments, declarations);
    }

    /** Returns the keys, if they belong to a shard. */
    ShardKey[] shardKeys() {
        return keys.stream().map(name -> named(ShardKey.values(), name)).toArray(ShardKey[]::new);
    }

    /** Returns the arguments that the store supplies; null for each other argument. */
    @Nullable
    CommonArgument[] commonArguments() {
        return arguments.stream()
                .map(name -> named(CommonArgument.values(), name))
                .toArray(CommonArgument[]::new);
    }

    private static <E extends Enum<E>> @Nullable E named(E[] values, String name) {
        return Stream.of(values)
                .filter(value -> value.name().equalsIgnoreCase(name))
                .findFirst()
                .orElse(null);
    }
}
