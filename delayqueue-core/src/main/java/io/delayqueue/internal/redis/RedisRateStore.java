// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.number;

import io.delayqueue.internal.store.RateCounts;
import io.delayqueue.internal.store.RateMinute;
import io.delayqueue.internal.store.RateStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Keeps what was counted in Redis, in one hash for each queue ({@code dq:{orders}:rates}) that expires. */
record RedisRateStore(ScriptRunner scripts, RedisKeys keys, ClockOffset clock, StoredCounts stored)
        implements RateStore {

    private static final long MINUTE = TimeUnit.MINUTES.toMillis(1);
    private static final int FIRST_BUCKET = 6;
    private static final Pattern FORM =
            Pattern.compile("1:\\d{1,12}(?::\\d{1,18}){4}:(?:\\d{1,4}=\\d{1,18}(?:,(?!$)|$))*");

    @Override
    public CompletableFuture<Instant> add(String queue, Duration kept, RateCounts counts) {
        byte[][] args = new byte[FIRST_BUCKET + 2 * counts.lateness().size()][];
        args[0] = clock.bytes();
        args[1] = bytes(kept.toMillis());
        args[2] = bytes(counts.scheduled());
        args[3] = bytes(counts.delivered());
        args[4] = bytes(counts.failed());
        args[5] = bytes(counts.dead());
        int next = FIRST_BUCKET;
        for (Map.Entry<Integer, Long> bucket : counts.lateness().entrySet()) {
            args[next++] = bytes(bucket.getKey());
            args[next++] = bytes(bucket.getValue());
        }
        return scripts.<byte[]>run(Script.RATES_ADD, keys.rates(queue), "Queue '" + queue + "', rates", args)
                .thenApply(minute -> Instant.ofEpochMilli(number(minute) * MINUTE));
    }

    @Override
    public CompletableFuture<List<RateMinute>> minutes(String queue, Instant from, Instant until) {
        long first = Math.floorDiv(from.toEpochMilli() + MINUTE - 1, MINUTE);
        long last = Math.floorDiv(until.toEpochMilli() - 1, MINUTE);
        return scripts.<List<Object>>run(
                        Script.RATES_READ, keys.rates(queue), "Queue '" + queue + "', rates", bytes(first), bytes(last))
                .thenApply(records -> records.stream()
                        .map(RedisBytes::string)
                        .filter(record -> FORM.matcher(record).matches())
                        .map(RedisRateStore::minute)
                        .toList());
    }

    private static RateMinute minute(String record) {
        String[] parts = record.split(":", 7);
        Map<Integer, Long> lateness = new HashMap<>();
        for (String bucket : parts[6].isEmpty() ? new String[0] : parts[6].split(",")) {
            int equals = bucket.indexOf('=');
            lateness.put(Integer.parseInt(bucket.substring(0, equals)), Long.parseLong(bucket.substring(equals + 1)));
        }
        return new RateMinute(
                Instant.ofEpochMilli(Long.parseLong(parts[1]) * MINUTE),
                new RateCounts(
                        Long.parseLong(parts[2]),
                        Long.parseLong(parts[3]),
                        Long.parseLong(parts[4]),
                        Long.parseLong(parts[5]),
                        lateness));
    }

    @Override
    public long scheduled(String queue) {
        return stored.of(queue);
    }
}
