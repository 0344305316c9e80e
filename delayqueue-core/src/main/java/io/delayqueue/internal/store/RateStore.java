// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;

import io.delayqueue.internal.redis.RedisBytes;
import io.delayqueue.internal.redis.Script;
import io.delayqueue.internal.redis.ScriptRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The counts of all processes for a queue, per minute by the store's clock, for a day. Threads and failures as in
 * {@link TaskStore}. Do not repeat an addition that may have run.
 */
public class RateStore extends StoreRole {

    private static final long MINUTE = TimeUnit.MINUTES.toMillis(1);

    /** Bounds of an empty range of minutes. */
    private static final byte[] AFTER = bytes(1);

    private static final byte[] BEFORE = bytes(0);
    private static final Pattern FORM = Pattern.compile("1:\\d{1,12}:(?:\\w{1,20}=\\d{1,18}(?:,(?!$)|$))+");

    RateStore(StoreParts parts) {
        super(parts);
    }

    /** Adds to the counts of the current minute, by name. */
    public CompletableFuture<Void> add(String queue, Map<String, Long> counts) {
        List<byte[]> args = new ArrayList<>(List.of(clock.bytes(), AFTER, BEFORE));
        counts.forEach((name, count) -> args.addAll(List.of(bytes(name), bytes(count))));
        return run(queue, args.toArray(byte[][]::new)).thenAccept(nothing -> {});
    }

    /**
     * Reads the minutes that start at {@code from} or later and before {@code until}, without empty minutes. If the
     * range exceeds a day, reads its first day.
     */
    public CompletableFuture<List<RateMinute>> minutes(String queue, Instant from, Instant until) {
        long first = Math.floorDiv(from.toEpochMilli() + MINUTE - 1, MINUTE);
        long last = Math.floorDiv(until.toEpochMilli() - 1, MINUTE);
        return run(queue, clock.bytes(), bytes(first), bytes(last))
                .thenApply(records -> records.stream()
                        .map(RedisBytes::string)
                        .filter(record -> FORM.matcher(record).matches())
                        .map(RateStore::minute)
                        .toList());
    }

    private CompletableFuture<List<Object>> run(String queue, byte[]... args) {
        return scripts.run(ScriptRequest.of(Script.RATES, keys.rates(queue), "Queue '" + queue + "', rates", args));
    }

    private static RateMinute minute(String record) {
        String[] parts = record.split(":", 3);
        Map<String, Long> counts = new TreeMap<>();
        for (String count : parts[2].split(",")) {
            int equals = count.indexOf('=');
            counts.put(count.substring(0, equals), Long.parseLong(count.substring(equals + 1)));
        }
        return new RateMinute(Instant.ofEpochMilli(Long.parseLong(parts[1]) * MINUTE), counts);
    }
}
