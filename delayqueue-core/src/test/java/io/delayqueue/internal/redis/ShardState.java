// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.TaskContent;
import io.delayqueue.TaskIds;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.internal.store.EnvelopeFormat;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoredTask;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Everything a shard's keys hold, as Latin-1 text, read in one step.
 *
 * @param serverMillis the server's clock at the reading; no part of equality
 * @param trails the reasons of the last failed attempts by id, the newest first; cut off from attempts, no part of
 *     equality
 * @param holders who has a lease, by id; cut off from leases, no part of equality
 * @param groups ids of the tasks that have a group, D before those of dead ones; no part of equality
 */
public record ShardState(
        long serverMillis,
        Map<String, Long> index,
        Map<String, String> tasks,
        Map<String, String> leases,
        Map<String, String> attempts,
        Map<String, Long> dead,
        String token,
        String paused,
        Map<String, String> holds,
        Map<String, List<String>> trails,
        Map<String, String> holders,
        List<String> groups) {

    /** As the keys have it, without groups. */
    public ShardState(
            long serverMillis,
            Map<String, Long> index,
            Map<String, String> tasks,
            Map<String, String> leases,
            Map<String, String> attempts,
            Map<String, Long> dead,
            String token,
            String paused,
            Map<String, String> holds) {
        this(serverMillis, index, tasks, leases, attempts, dead, token, paused, holds, List.of());
    }

    /** As the keys have it. */
    public ShardState(
            long serverMillis,
            Map<String, Long> index,
            Map<String, String> tasks,
            Map<String, String> leases,
            Map<String, String> attempts,
            Map<String, Long> dead,
            String token,
            String paused,
            Map<String, String> holds,
            List<String> groups) {
        this(
                serverMillis,
                index,
                tasks,
                mapped(leases, lease -> lease.replaceFirst("@.*$", "")),
                mapped(attempts, record -> record.replaceFirst("\u001e[\\s\\S]*$", "")),
                dead,
                token,
                paused,
                holds,
                mapped(attempts, ShardState::trail),
                mapped(leases, lease -> lease.replaceFirst("^[^@]*@?", "")),
                groups);
    }

    private static <T> Map<String, T> mapped(Map<String, String> records, Function<String, T> part) {
        Map<String, T> parts = new TreeMap<>();
        records.forEach((id, record) -> parts.put(id, part.apply(record)));
        return parts;
    }

    private static List<String> trail(String record) {
        return Arrays.stream(record.split("\u001e"))
                .skip(1)
                .limit(StoredTask.MOST_ATTEMPTS)
                .map(attempt -> attempt.replaceFirst("^\\d+ ", ""))
                .toList();
    }

    /** Creates the state of a shard that was never paused. */
    ShardState(
            long serverMillis,
            Map<String, Long> index,
            Map<String, String> tasks,
            Map<String, String> leases,
            Map<String, String> attempts,
            Map<String, Long> dead,
            String token) {
        this(serverMillis, index, tasks, leases, attempts, dead, token, "", Map.of());
    }

    /** Creates the state of a shard without migrating tasks. */
    ShardState(
            long serverMillis,
            Map<String, Long> index,
            Map<String, String> tasks,
            Map<String, String> leases,
            Map<String, String> attempts,
            Map<String, Long> dead,
            String token,
            String paused) {
        this(serverMillis, index, tasks, leases, attempts, dead, token, paused, Map.of());
    }

    /** The stored form of a task. */
    public static String envelope(char outcome, byte[] requestId, TaskContent content) {
        byte[] bytes = EnvelopeFormat.encode(requestId, content);
        boolean expires = content.headers().containsKey(TaskHeaders.EXPIRES_AFTER);
        bytes[1] = (byte) (expires ? Character.toLowerCase(outcome) : outcome);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static final String READ = """
            local time = redis.call('TIME')
            return { time[1], time[2], redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES'), redis.call('HGETALL', KEYS[2]),
              redis.call('HGETALL', KEYS[3]), redis.call('HGETALL', KEYS[4]),
              redis.call('ZRANGE', KEYS[5], 0, -1, 'WITHSCORES'), redis.call('GET', KEYS[6]) or '',
              redis.call('GET', KEYS[7]) or '', redis.call('HGETALL', KEYS[8]), redis.call('ZRANGE', KEYS[9], 0, -1) }
            """;

    static String key(Shard shard, String name) {
        return "dq:{" + shard.queue() + ":" + shard.index() + "}:" + name;
    }

    private static String[] keys(String prefix, Shard shard) {
        return Arrays.stream(keys(shard)).map(key -> prefix + key.substring(2)).toArray(String[]::new);
    }

    static String[] keys(Shard shard) {
        return new String[] {
            key(shard, "index"),
            key(shard, "tasks"),
            key(shard, "leases"),
            key(shard, "attempts"),
            key(shard, "dead"),
            key(shard, "token"),
            key(shard, "paused"),
            key(shard, "holds"),
            key(shard, "groups")
        };
    }

    static ShardState read(RedisClusterCommands<String, String> raw, Shard shard) {
        return read(raw, "dq", shard);
    }

    static ShardState read(RedisClusterCommands<String, String> raw, String prefix, Shard shard) {
        List<Object> reply = raw.eval(READ, ScriptOutputType.MULTI, keys(prefix, shard));
        long millis = Long.parseLong((String) reply.get(0)) * 1000 + Long.parseLong((String) reply.get(1)) / 1000;
        return new ShardState(
                millis,
                scores(reply.get(2)),
                fields(reply.get(3)),
                fields(reply.get(4)),
                fields(reply.get(5)),
                scores(reply.get(6)),
                (String) reply.get(7),
                (String) reply.get(8),
                fields(reply.get(9)),
                ((List<?>) reply.get(10)).stream().map(String.class::cast).toList());
    }

    private static Map<String, Long> scores(Object flat) {
        Map<String, Long> scores = new TreeMap<>();
        fields(flat)
                .forEach((id, score) -> scores.put(id, (long) Double.parseDouble(score.replace("inf", "Infinity"))));
        return scores;
    }

    private static Map<String, String> fields(Object flat) {
        List<?> list = (List<?>) flat;
        Map<String, String> fields = new TreeMap<>();
        for (int i = 0; i < list.size(); i += 2) {
            fields.put((String) list.get(i), (String) list.get(i + 1));
        }
        return fields;
    }

    /** Returns the inconsistencies of the ids in groups; empty for none. */
    private String brokenGroups() {
        TreeSet<String> expected = new TreeSet<>();
        for (String id : tasks.keySet()) {
            if (TaskIds.groupOf(id).isPresent()) {
                expected.add(dead.containsKey(id) ? "D" + id : id);
            }
        }
        return groups.equals(List.copyOf(expected)) ? "" : "groups have " + groups + ", but tasks " + expected;
    }

    /** Returns the violations of invariant 1; empty for none. */
    String brokenInvariant() {
        if (!brokenGroups().isEmpty()) {
            return brokenGroups();
        }
        for (String id : tasks.keySet()) {
            if (index.containsKey(id) == dead.containsKey(id)) {
                return id + " must be in exactly one of index and dead";
            }
        }
        for (var others : List.of(index.keySet(), dead.keySet(), leases.keySet(), attempts.keySet(), holds.keySet())) {
            for (String id : others) {
                if (!tasks.containsKey(id)) {
                    return id + " has no envelope";
                }
            }
        }
        for (String id : leases.keySet()) {
            if (!index.containsKey(id)) {
                return id + " is leased but not in the index";
            }
            if (holds.containsKey(id)) {
                return id + " is leased although it is held for a migration";
            }
        }
        return "";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ShardState that
                && index.equals(that.index)
                && tasks.equals(that.tasks)
                && leases.equals(that.leases)
                && attempts.equals(that.attempts)
                && dead.equals(that.dead)
                && token.equals(that.token)
                && paused.equals(that.paused)
                && holds.equals(that.holds);
    }

    @Override
    public int hashCode() {
        return index.hashCode() * 31 + tasks.hashCode();
    }
}
