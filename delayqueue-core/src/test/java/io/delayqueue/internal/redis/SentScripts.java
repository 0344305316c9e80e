// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.EncodedPayload;
import io.delayqueue.TaskContent;
import io.delayqueue.admin.KeyLimits;
import io.delayqueue.internal.calls.SendPermit;
import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.DueCountsRequest;
import io.delayqueue.internal.store.Expiry;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.store.GroupPosition;
import io.delayqueue.internal.store.KeyLimitsChange;
import io.delayqueue.internal.store.LeaseRef;
import io.delayqueue.internal.store.LeaseStore;
import io.delayqueue.internal.store.MigrationHold;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.NotedQueue;
import io.delayqueue.internal.store.OperationPut;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Position;
import io.delayqueue.internal.store.QueueNoteStore;
import io.delayqueue.internal.store.RateStore;
import io.delayqueue.internal.store.ScheduleMode;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.TaskUpdate;
import io.delayqueue.internal.store.TestStores;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Records what the store sends when each of its methods is called once. Arguments are created by reflection, so that no
 * method is missed.
 */
final class SentScripts {

    /** Tasks in each call that takes many. */
    static final int BATCH = 2;

    /** The value of each named argument in these calls. */
    static final Map<String, String> VALUES = Map.ofEntries(
            Map.entry("clock_offset", "17"),
            Map.entry("wake_channel", "dq:{orders}:wake"),
            Map.entry("channel", "dq:{orders}:wake"),
            Map.entry("shard", "3"),
            Map.entry("limit", "11"),
            Map.entry("lease", "12"),
            Map.entry("max_expired", "13"),
            Map.entry("max_bytes", "14"),
            Map.entry("id", "the-id"),
            Map.entry("seen_at", "22"),
            Map.entry("id_prefix", "the-id"),
            Map.entry("interval_ns", "23"),
            Map.entry("burst", "11"),
            Map.entry("asked", "11"),
            Map.entry("unused", "11"),
            Map.entry("taken_at", "23"),
            Map.entry("limits_change", "!1:200000:0"),
            Map.entry("closed_change", "="),
            Map.entry("due_text", "+15"),
            Map.entry("max_suspects", "15"),
            Map.entry("catch_up_rate", "96.5"),
            Map.entry("interval", "200000"),
            Map.entry("concurrency", "2"),
            Map.entry("not_after", ""),
            Map.entry("dead_kept", "1"),
            Map.entry("expires_after", "95"),
            Map.entry("expired_kept", "0"),
            Map.entry("list", "LIVE"),
            Map.entry("after_id", "the-id"),
            Map.entry("span", "23"),
            Map.entry("retention", "12"),
            Map.entry("cap", "21"),
            Map.entry("sharding_text", "1:9:3:3:0"),
            Map.entry("which", "stored"),
            Map.entry("cursor", "the-id"),
            Map.entry("above", "7"),
            Map.entry("count", "11"),
            Map.entry("hold", "12"),
            Map.entry("most_bytes", "11"),
            Map.entry("deadline", "22"),
            Map.entry("token", "23"),
            Map.entry("least_token", "23"),
            Map.entry("verb", "MIGRATED"),
            Map.entry("expected", "23"),
            Map.entry("least", "23"),
            Map.entry("group", "the-id"),
            Map.entry("place", "the-id"),
            Map.entry("most", "21"),
            Map.entry("action", "SHIFT"),
            Map.entry("amount", "-28"),
            Map.entry("step", "the-step"),
            Map.entry("change", "orders"),
            Map.entry("kind", "lost"),
            Map.entry("owner", "orders"),
            Map.entry("ttl", "12"),
            Map.entry("wanted", "1"),
            Map.entry("note", "1"),
            Map.entry("pause_note", "the-id\nthe-id"),
            Map.entry("handle", "orders"),
            Map.entry("act", "beat"),
            Map.entry("runner", "4711@here#1"),
            Map.entry("dry_run", "1"),
            Map.entry("silence", "15000"),
            Map.entry("record_kept", "86400000"),
            Map.entry("seen", "5"),
            Map.entry("content", "{}"),
            Map.entry("process", "orders"),
            Map.entry("gone_after", "12"),
            Map.entry("last_kept", "34560000000"),
            Map.entry("first_read", "1"),
            Map.entry("last_read", "0"),
            Map.entry("field_prefix", ""),
            Map.entry("after_moment", "24"),
            Map.entry("before", "25"),
            Map.entry("prefix", "the-"),
            Map.entry("looks", "26"),
            Map.entry("records", "1000"),
            Map.entry("from", "24"),
            Map.entry("width", "12"),
            Map.entry("slices", "11"),
            Map.entry("content_type", "\u0001"),
            Map.entry("payload", "{}"),
            Map.entry("audit_kept", "10000"),
            Map.entry("entry", "orders"),
            Map.entry("after_entry", "orders"),
            Map.entry("until_text", "+15"),
            Map.entry("history_kept", "21 " + ProcessName.OWN),
            Map.entry("max_header_bytes", "0"));

    record Sent(String sha1, List<String> keys, List<String> args) {}

    private SentScripts() {}

    @SuppressWarnings("unchecked")
    static List<Sent> ofEveryStoreMethod() {
        List<Sent> sent = new CopyOnWriteArrayList<>();
        Object commands = Proxy.newProxyInstance(
                SentScripts.class.getClassLoader(),
                new Class<?>[] {RedisClusterAsyncCommands.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("evalsha")) {
                        sent.add(new Sent((String) args[0], texts((byte[][]) args[2]), texts((byte[][]) args[3])));
                    }
                    throw new io.lettuce.core.RedisCommandExecutionException("ERR seen");
                });
        RedisConnections connections = connections((RedisClusterAsyncCommands<byte[], byte[]>) commands);
        TaskStore store = TestStores.of(
                connections,
                new RedisKeys("dq"),
                Duration.ofSeconds(5),
                Duration.ofSeconds(1),
                queue -> 21,
                TestStores.ahead(() -> 17));
        Map<Method, Object> calls = callsOf(store);
        calls.forEach((method, role) ->
                call(role, method, method.getParameterTypes()[0] == String.class ? "orders" : "the-id"));
        byte[][] tokens = {RedisBytes.bytes(7), RedisBytes.bytes("a"), RedisBytes.bytes("b")};
        reclaim(store, new Shard("orders", 3), tokens, "the-id");
        try {
            Script.NOOP_WRITE.byHash(
                    (RedisScriptingAsyncCommands<byte[], byte[]>) commands,
                    new RedisKeys("dq").ofShard("orders", 3).of(Script.NOOP_WRITE));
        } catch (io.lettuce.core.RedisCommandExecutionException seen) {
            // as all others
        }
        try {
            RedisKeys names = new RedisKeys("dq");
            byte[][] keys = Stream.of("probe_text", "probe_hash", "probe_set")
                    .map(name -> RedisBytes.bytes(names.ofTag("orders", name)))
                    .toArray(byte[][]::new);
            byte[][] arguments = Stream.concat(
                            Stream.of(names.wakeChannel("orders")),
                            IntStream.rangeClosed(1, 5 * BATCH).mapToObj(String::valueOf))
                    .map(RedisBytes::bytes)
                    .toArray(byte[][]::new);
            Script.PROBE.byHash((RedisScriptingAsyncCommands<byte[], byte[]>) commands, keys, arguments);
        } catch (io.lettuce.core.RedisCommandExecutionException seen) {
            // as all others
        }
        int expected = calls.size() + 3;
        org.awaitility.Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> sent.size() >= expected);
        return sent;
    }

    /** Returns connections whose calls all share these commands. */
    static RedisConnections connections(RedisClusterAsyncCommands<byte[], byte[]> commands) {
        RedisConnections connections = mock(RedisConnections.class);
        when(connections.shared())
                .thenReturn(CompletableFuture.completedFuture(connections.new SharedConnection(commands, () -> {})));
        return connections;
    }

    /** Every method that runs a script, with the part of the store that has it. */
    private static Map<Method, Object> callsOf(TaskStore store) {
        Map<Method, Object> calls = new HashMap<>();
        for (Method part : TaskStore.class.getMethods()) {
            if (part.getReturnType().getSimpleName().endsWith("Store")) {
                methods(part.getReturnType()).forEach(method -> calls.put(method, invoke(store, part)));
            }
        }
        return calls;
    }

    private static List<Method> methods(Class<?> role) {
        Method[] all = role.getDeclaredMethods();
        return Arrays.stream(all)
                // Roles are records, whose other methods run no script.
                .filter(method -> method.getReturnType() == CompletableFuture.class)
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                // The others of its name leave something out.
                .filter(method -> Arrays.stream(all)
                        .noneMatch(other -> Modifier.isPublic(other.getModifiers())
                                && other.getName().equals(method.getName())
                                && other.getParameterCount() > method.getParameterCount()))
                // They send what pause and claimMigrator send, but for one argument or the key, and what putSharding
                // sends.
                .filter(method ->
                        !List.of("resume", "claimForwarder", "sharding").contains(method.getName()))
                // It sends what discard sends, and times of death.
                .filter(method -> !method.getName().equals("discardDeaths"))
                // It sends what add sends, without counts.
                .filter(method -> role != RateStore.class || !method.getName().equals("read"))
                .toList();
    }

    private static void reclaim(TaskStore store, Object... arguments) {
        try {
            Method reclaim = LeaseStore.class.getDeclaredMethod("reclaim", Shard.class, byte[][].class, String.class);
            reclaim.setAccessible(true);
            reclaim.invoke(store.leases(), arguments);
        } catch (ReflectiveOperationException ex) {
            throw new AssertionError(ex);
        }
    }

    private static boolean isReplicated(Method method) {
        return method.getGenericReturnType().getTypeName().contains("Replicated");
    }

    private static void call(Object store, Method method, String text) {
        Object[] arguments = Arrays.stream(method.getGenericParameterTypes())
                .map(type -> type == int.class && isReplicated(method) ? 0 : argument(type.getTypeName(), text))
                .toArray();
        invoke(store, method, arguments);
    }

    private static Object invoke(Object target, Method method, Object... arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (ReflectiveOperationException ex) {
            throw new AssertionError(ex);
        }
    }

    private static Object argument(String type, String text) {
        TaskContent content = new TaskContent("application/json", Map.of(), new byte[0]);
        Due due = new Due(true, 15);
        String simple = type.replaceAll("[\\w.]+\\.", "");
        return switch (simple) {
            case "Shard" -> new Shard("orders", 3);
            case "SendPermit" -> new SendPermit();
            case "String" -> text;
            case "boolean" -> true;
            case "ScheduleMode" -> ScheduleMode.ONLY_STORED;
            case "long" -> 23L;
            case "Instant" -> Instant.ofEpochMilli(22);
            case "ShardingVersion" -> new ShardingVersion("1:9:3:3:0");
            case "List<Item>", "List<MigrationHold$Item>" ->
                List.of(
                        new MigrationHold.Item("a", false, 1, new byte[18], new byte[0]),
                        new MigrationHold.Item("b", true, 1, new byte[18], new byte[0]));
            case "int" -> 11;
            case "Duration" -> Duration.ofMillis(12);
            case "List<String>" -> List.of("a", "b");
            case "List<Duration>" -> List.of(Duration.ofMillis(27), Duration.ofMillis(28));
            case "Map<String, Due>" -> {
                Map<String, Due> all = new LinkedHashMap<>();
                all.put("a", due);
                all.put("b", new Due(false, 19));
                yield all;
            }
            case "PageRequest" ->
                PageRequest.live(11)
                        .after(new Position(Instant.ofEpochMilli(24), "the-id"))
                        .before(Instant.ofEpochMilli(25))
                        .withIdPrefix("the-", 26)
                        .withContent(14);
            case "DueCountsRequest" -> new DueCountsRequest(Instant.ofEpochMilli(24), Duration.ofMillis(12), 11);
            case "GroupPosition" -> new GroupPosition("the-id", "the-id", 21);
            case "GroupChange" -> GroupChange.shift(Duration.ofMillis(-28), "the-step");
            case "TaskUpdate" ->
                new TaskUpdate(
                        new EncodedPayload("application/json", "{}".getBytes(StandardCharsets.UTF_8)),
                        Map.of("the-header", "28", "the-other-header", "29"));
            case "Map<String, Long>" -> Map.of("a", 31L, "b", 32L);
            case "QueueNoteStore$Kind" -> QueueNoteStore.Kind.QUEUES;
            case "List<NotedQueue>" ->
                List.of(
                        new NotedQueue("orders", true, "the-settings", text, true),
                        new NotedQueue("mails", true, "the-settings", text, true));
            case "OperationPut" -> new OperationPut(OperationPut.Act.BEAT, "4711@here#1", true, "5", "{}");
            case "Due" -> due;
            case "AcquireRequest" ->
                Acquires.without(
                        new Expiry(Duration.ofMillis(95), false),
                        Acquires.of(11, Duration.ofMillis(12), 13, 14, 15, 96.5));
            case "KeyLimits" ->
                KeyLimits.rate(5, Duration.ofSeconds(1)).withBurst(11).withConcurrency(2);
            case "KeyLimitsChange" -> KeyLimitsChange.set(KeyLimits.rate(5, Duration.ofSeconds(1)));
            case "List<NewTask>" ->
                List.of(
                        new NewTask("a", new byte[16], due, ConflictPolicy.KEEP, content, 0),
                        new NewTask("b", new byte[16], due, ConflictPolicy.KEEP, content, 0));
            case "List<Settlement>" -> List.of(Settlement.ack("a", 1), Settlement.ack("b", 1));
            case "List<LeaseRef>" -> List.of(new LeaseRef("a", 1), new LeaseRef("b", 1));
            default -> throw new AssertionError("Say here what to pass for " + type);
        };
    }

    private static List<String> texts(byte[][] values) {
        return Arrays.stream(values)
                .map(value -> new String(value, StandardCharsets.UTF_8))
                .toList();
    }
}
