// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;

import io.delayqueue.internal.redis.RedisKeys.QueueKey;
import io.delayqueue.internal.redis.Script;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/**
 * Counts of each queue over all processes, by the store's clock: per minute for a day, and per hour for 90 days.
 * Threads and failures as in {@link TaskStore}, except that an addition must not be repeated if it may have run.
 */
public record RateStore(StoreScripts scripts) {

    /** A bound that, used for both ends, gives an empty range of minutes. */
    private static final byte[] AFTER = bytes(1);

    private static final byte[] BEFORE = bytes(0);
    private static final Pattern FORM = Pattern.compile("1:\\d{1,12}:(?:\\w{1,20}=\\d{1,18}(?:,(?!$)|$))+");

    /** Adds to the counts of the current minute and hour, by name. */
    public CompletableFuture<Void> add(String queue, Map<String, Long> counts) {
        List<byte[]> args = new ArrayList<>(List.of(scripts.clock().bytes(), bytes(""), AFTER, BEFORE));
        counts.forEach((name, count) -> args.addAll(List.of(bytes(name), bytes(count))));
        return run(queue, args.toArray(byte[][]::new)).thenAccept(nothing -> {});
    }

    /**
     * Reads the counts, by name, of each minute or hour that starts from {@code from} (inclusive) to {@code until}
     * (exclusive). Omits empty minutes and hours. If the range is longer, reads only its first day of
     * minutes or its first 90 days of hours.
     *
     * @param unit minutes or hours
     */
    public CompletableFuture<SortedMap<Instant, Map<String, Long>>> read(
            String queue, ChronoUnit unit, Instant from, Instant until) {
        byte[] prefix = bytes(unit == ChronoUnit.HOURS ? "h" : "");
        long millis = unit.getDuration().toMillis();
        long first = Math.floorDiv(from.toEpochMilli() + millis - 1, millis);
        long last = Math.floorDiv(until.toEpochMilli() - 1, millis);
        return run(queue, scripts.clock().bytes(), prefix, bytes(first), bytes(last))
                .thenApply(records -> {
                    SortedMap<Instant, Map<String, Long>> counts = new TreeMap<>();
                    records.rows(1)
                            .map(row -> row.text(0))
                            .filter(record -> FORM.matcher(record).matches())
                            .map(record -> record.split(":", 3))
                            .forEach(parts -> counts.put(
                                    Instant.ofEpochMilli(Long.parseLong(parts[1]) * millis), counts(parts[2])));
                    return counts;
                });
    }

    private CompletableFuture<Reply> run(String queue, byte[]... args) {
        return scripts.run(
                Script.RATES, scripts.keys().of(QueueKey.RATES, queue), "Queue '" + queue + "', rates", args);
    }

    private static Map<String, Long> counts(String text) {
        Map<String, Long> counts = new TreeMap<>();
        for (String count : text.split(",")) {
            int equals = count.indexOf('=');
            counts.put(count.substring(0, equals), Long.parseLong(count.substring(equals + 1)));
        }
        return counts;
    }
}
