// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.number;
import static io.delayqueue.internal.redis.RedisBytes.string;

import io.delayqueue.TaskStoreException;
import io.delayqueue.admin.KeyLimits;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.redis.IdEncoding;
import io.delayqueue.internal.redis.RedisBytes;
import io.delayqueue.internal.redis.Script;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Acquires due tasks, and renews and ends their leases. Threads and failures as in {@link TaskStore}. */
public class LeaseStore extends StoreRole {

    private static final byte[] ACK = bytes(Settlement.Verb.ACK.name());
    private static final byte[] NOTHING = new byte[0];
    private static final byte[] ZERO = bytes(0);
    private static final byte[] ONE = bytes(1);
    private static final String BEGIN = "0";

    private final ServerClocks servers;
    private final byte[] holder = bytes(Holder.newName());
    private final Map<Shard, LostAnswers> lostAnswers = new ConcurrentHashMap<>();

    LeaseStore(StoreParts parts, ServerClocks servers) {
        super(parts);
        this.servers = servers;
    }

    /**
     * Acquires due tasks, earliest due time first. If the reply to an earlier call was lost, first releases its leases
     * as unused. If the keys of the shard have limits, acquires nothing, and the caller must use {@link
     * #acquireLimited}.
     */
    public CompletableFuture<Acquisition> acquire(Shard shard, AcquireRequest request) {
        return acquire(shard, Script.POP_DUE, args(request));
    }

    /**
     * Acquires due tasks like {@link #acquire}, but no more tasks of a key than its limits allow. Further tasks of the
     * key are held back until its next turn. Limits that were set at run time take precedence.
     */
    public CompletableFuture<Acquisition> acquireLimited(Shard shard, AcquireRequest request, KeyLimits limits) {
        byte[][] args = args(request);
        byte[][] all = Arrays.copyOf(args, args.length + 3);
        all[args.length] = bytes(StoredKeyLimits.intervalMicros(limits));
        all[args.length + 1] = bytes(limits.concurrency().orElse(0));
        all[args.length + 2] = bytes(limits.burst().orElse(0));
        return acquire(shard, Script.POP_DUE_LIMITED, all);
    }

    private CompletableFuture<Acquisition> acquire(Shard shard, Script script, byte[][] args) {
        LostAnswers lost = lostAnswers.computeIfAbsent(shard, this::lostAnswers);
        CompletableFuture<Void> first = lost.begin(servers.now(shard), () -> reclaim(shard, lost.knownTokens(), BEGIN));
        return (first == null)
                ? acquire(shard, script, args, lost)
                : first.thenCompose(done -> acquireNext(shard, script, args, lost));
    }

    private CompletableFuture<Acquisition> acquireNext(Shard shard, Script script, byte[][] args, LostAnswers lost) {
        CompletableFuture<Void> first = lost.begin(servers.now(shard), null);
        return (first == null)
                ? acquire(shard, script, args, lost)
                : first.thenCompose(done -> acquireNext(shard, script, args, lost));
    }

    private LostAnswers lostAnswers(Shard shard) {
        return new LostAnswers("Queue '" + shard.queue() + "', shard " + shard.index(), servers.patienceMillis());
    }

    /** Releases the leases of lost replies in steps. */
    CompletableFuture<Void> reclaim(Shard shard, byte[][] knownTokens, String cursor) {
        List<byte[]> args = new ArrayList<>(List.of(holder, bytes(cursor)));
        args.addAll(List.of(knownTokens));
        return this.<List<Object>>run(Script.RECLAIM, shard, "reclaim", "leases", args.toArray(byte[][]::new))
                .thenCompose(reply -> {
                    String next = string(reply.get(0));
                    return next.equals(BEGIN)
                            ? CompletableFuture.completedFuture(null)
                            : reclaim(shard, knownTokens, next);
                });
    }

    private CompletableFuture<Acquisition> acquire(Shard shard, Script script, byte[][] args, LostAnswers lost) {
        Long notAfter = servers.endOfPatience(shard);
        return Guard.call(() -> take(shard, script, args, lost, notAfter)).whenComplete((acquisition, error) -> {
            if (acquisition != null) {
                lost.answered(acquisition.token());
            } else if (Causes.of(error) instanceof TaskStoreException failure && !failure.mayHaveBeenApplied()) {
                lost.notTaken();
            } else {
                lost.lost(notAfter);
            }
        });
    }

    /** Returns the arguments of an acquire. {@link #take} adds those that depend on the time of the call. */
    private byte[][] args(AcquireRequest request) {
        return new byte[][] {
            bytes(request.limit()),
            bytes(request.lease().toMillis()),
            bytes(request.maxLeaseExpiries()),
            bytes(request.maxBytes()),
            bytes(request.maxSuspects()),
            bytes(Double.toString(request.catchUpPerSecond())),
            NOTHING,
            holder,
            request.keepsDead() ? ONE : ZERO,
            millis(request.expiry().expiresAfter()),
            request.expiry().kept() ? ONE : ZERO
        };
    }

    private CompletableFuture<Acquisition> take(
            Shard shard, Script script, byte[][] args, LostAnswers lost, @Nullable Long notAfter) {
        // While the clock stands still, acquires do not apply a rate.
        boolean still = clock.standstill() != null;
        args[5] = still ? ZERO : args[5];
        args[6] = still || notAfter == null ? NOTHING : bytes(notAfter);
        long offsetMillis = clock.aheadMillis();
        long sent = System.nanoTime();
        return this.<List<Object>>run(script, shard, "acquire", "due tasks", args)
                .thenApply(reply -> {
                    Duration untilNext = untilNext(reply);
                    if (still) {
                        boolean more = untilNext != null && untilNext.isZero();
                        return acquisition(shard, reply, more ? untilNext : null, System.nanoTime());
                    }
                    long micros = number(reply.get(0));
                    long at = (micros == 0) ? System.nanoTime() : servers.heard(shard, micros, offsetMillis, sent);
                    return acquisition(shard, reply, earlier(untilNext, lost.untilReclaim(servers.now(shard))), at);
                });
    }

    private static byte[] millis(@Nullable Duration duration) {
        return duration == null ? NOTHING : bytes(duration.toMillis());
    }

    /** Returns the time until the shard needs attention again; {@code null} if it has no tasks. */
    private static @Nullable Duration untilNext(List<Object> reply) {
        String next = string(reply.get(1));
        return next.isEmpty()
                ? null
                : Duration.of(Math.max(0, Long.parseLong(next) * 1000 - number(reply.get(0))), ChronoUnit.MICROS);
    }

    private static @Nullable Duration earlier(@Nullable Duration a, @Nullable Duration b) {
        if (a == null || b == null) {
            return (a == null) ? b : a;
        }
        return a.compareTo(b) <= 0 ? a : b;
    }

    private static Acquisition acquisition(
            Shard shard, List<Object> reply, @Nullable Duration untilNext, long callNanoTime) {
        String token = string(reply.get(2));
        List<?> flat = (List<?>) reply.get(4);
        List<AcquiredTask> tasks = new ArrayList<>(flat.size() / 3);
        for (int i = 0; i < flat.size(); i += 3) {
            tasks.add(acquiredTask(flat.get(i), flat.get(i + 1), string(flat.get(i + 2))));
        }
        List<?> died = (List<?>) reply.get(5);
        Map<String, String> dead = new LinkedHashMap<>();
        for (int i = 0; i < died.size(); i += 2) {
            dead.put(RedisBytes.id(died.get(i)), string(died.get(i + 1)));
        }
        List<String> newer =
                ((List<?>) reply.get(6)).stream().map(RedisBytes::id).toList();
        return new Acquisition(
                shard,
                token.isEmpty() ? 0 : Long.parseLong(token),
                tasks,
                untilNext,
                number(reply.get(0)),
                callNanoTime,
                dead,
                newer,
                !string(reply.get(7)).isEmpty(),
                Duration.ofMillis(number(reply.get(8))),
                (int) number(reply.get(9)));
    }

    /**
     * @param history the due time, then the numbers of failures and of expired leases if there are any, separated by
     *     colons
     */
    private static AcquiredTask acquiredTask(Object id, Object envelope, String history) {
        int failures = 0;
        int expired = 0;
        int end = history.indexOf(':');
        if (end >= 0) {
            int middle = history.indexOf(':', end + 1);
            failures = Integer.parseInt(history, end + 1, middle, 10);
            expired = Integer.parseInt(history, middle + 1, history.length(), 10);
        } else {
            end = history.length();
        }
        Instant dueAt = Instant.ofEpochMilli(Long.parseLong(history, 0, end, 10));
        byte[] stored = (byte[]) envelope;
        return new AcquiredTask(
                RedisBytes.id(id),
                EnvelopeFormat.taskKey(stored),
                dueAt,
                failures,
                expired,
                EnvelopeFormat.decode(stored));
    }

    /**
     * Ends leases. Returns one value for each settlement, in order: {@code true} if the lease was settled, {@code
     * false} if the stored token differs and nothing was changed.
     *
     * @param settlements 1 to {@link TaskStore#MAX_BATCH}, without duplicate ids
     */
    public CompletableFuture<List<Boolean>> settle(Shard shard, List<Settlement> settlements) {
        boolean isTold = histories.of(shard).length > 0;
        List<byte[]> args = new ArrayList<>(3 * settlements.size());
        for (Settlement settlement : settlements) {
            args.add(IdEncoding.bytes(settlement.id()));
            args.add(bytes(settlement.token()));
            args.add(ending(settlement, isTold));
        }
        String object = settlements.size() + " leases";
        return this.<List<Object>>run(Script.SETTLE, shard, "settle", object, args.toArray(byte[][]::new))
                .thenApply(RedisBytes::verdicts);
    }

    /**
     * Returns the argument for the end of a lease. For a task that is deleted, the argument has only two parts: whether
     * the delivery may still be running (a new task with the id then waits for its end), and the cause of death if the
     * queue keeps a history.
     */
    private static byte[] ending(Settlement settlement, boolean isTold) {
        boolean deletes =
                settlement.verb() == Settlement.Verb.ACK || (settlement.verb() == Settlement.Verb.DISCARD && !isTold);
        if (deletes && !settlement.uncertain()) {
            return ACK;
        }
        String flags = (settlement.countsAsFailure() ? "c" : "") + (settlement.uncertain() ? "u" : "");
        String due = RedisBytes.dueText(settlement.due());
        String trace = settlement.stackTrace().isEmpty() ? "" : AttemptsTrail.TRACE + settlement.stackTrace();
        return bytes(String.join(" ", settlement.verb().name(), due, flags, settlement.reason() + trace));
    }

    /** Extends leases to {@code lease} from now; never shortens one. Returns in the order of the leases. */
    public CompletableFuture<List<Renewal>> renew(Shard shard, List<LeaseRef> leases, Duration lease) {
        List<byte[]> args = new ArrayList<>(List.of(bytes(lease.toMillis())));
        for (LeaseRef held : leases) {
            args.add(IdEncoding.bytes(held.id()));
            args.add(bytes(held.token()));
        }
        String object = leases.size() + " leases";
        return this.<List<Object>>run(Script.RENEW, shard, "renew", object, args.toArray(byte[][]::new))
                .thenApply(reply -> reply.stream().map(LeaseStore::renewal).toList());
    }

    private static Renewal renewal(Object verdict) {
        return switch (((Long) verdict).intValue()) {
            case 1 -> Renewal.HELD;
            case 2 -> Renewal.HELD_WHILE_ANOTHER_WAITS;
            default -> Renewal.LOST;
        };
    }
}
