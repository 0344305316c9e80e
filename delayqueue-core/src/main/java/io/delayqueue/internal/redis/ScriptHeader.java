// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import java.util.stream.Stream;

/**
 * The keys and arguments that the header of a script declares. A script uses them by their names, for example
 * {@code clock_offset} for {@code ARGV[1]}. An argument that the header calls a {@code NUMBER} is one.
 *
 * @param keys names of the keys, in order
 * @param declarations statements that give keys and arguments their names. If arguments repeat, they also define
 *     {@code FIRST}, the position of the first such argument, {@code STEP}, the number of arguments of a task, and
 *     {@code count}, the number of tasks
 */
record ScriptHeader(List<String> keys, String declarations) {

    /** Avoids regular expressions, because the start of an application waits for this. */
    static ScriptHeader of(String script) {
        List<String> keys = new ArrayList<>();
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
                values.addAll(List.of(
                        Integer.toString(first), name, "(#ARGV - " + (first - 1) + ") / " + name));
            } else if (place.startsWith("ARGV[")) {
                names.add(name);
                values.add(words.nextToken().equals("NUMBER") ? "tonumber(" + place + ")" : place);
            }
        });
        return new ScriptHeader(
                List.copyOf(keys), "local " + String.join(", ", names) + " = " + String.join(", ", values) + "\n");
    }

    ShardKey[] shardKeys() {
        return keys.stream()
                .flatMap(name -> Stream.of(ShardKey.values()).filter(key -> key.text().equals(name)))
                .toArray(ShardKey[]::new);
    }
}
