// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Acquires due tasks, and renews and ends their leases. Threads and failures as in {@link TaskStore}. */
public class LeaseStore {

    private static final byte[] ACK = bytes(Settlement.Verb.ACK.name());
    private static final byte[] NOTHING = new byte[0];
    private static final byte[] ZERO = bytes(0);
    private static final byte[] ONE = bytes(1);
    private static final String BEGIN = "0";

    private final StoreScripts scripts;
    private final ServerClocks servers;
    private final byte[] holder = bytes(Holder.newName());
    private final Map<Shard, LostAnswers> lostAnswers = new ConcurrentHashMap<>();

    LeaseStore(StoreScripts scripts, ServerClocks servers) {
        this.scripts = scripts;
        this.servers = servers;
    }

    /**
     * Acquires due tasks, earliest due time first. If the reply to an earlier call was lost, first releases its leases
     * as unused. If the keys of the shard have limits, acquires nothing, and the caller must use {@link
     * #acquireLimited}.
     */
    public CompletableFuture<Acquisition> acquire(Shard shard, AcquireRequest request) {
        return acquireWithin(null, shard, request);
    }

    /**
     * Acquires due tasks like {@link #acquire}, but no more tasks of a key than its limits allow. Further tasks of the
     * key are held back until its next turn. Limits that were set at run time take precedence.
     */
    public CompletableFuture<Acquisition> acquireLimited(Shard shard, AcquireRequest request, KeyLimits limits) {
        return acquireWithin(limits, shard, request);
    }

    private CompletableFuture<Acquisition> acquireWithin(
            @Nullable KeyLimits limits, Shard shard, AcquireRequest request) {
        LostAnswers lost = lostAnswers.computeIfAbsent(shard, this::lostAnswers);
        return whenReclaimed(
                shard,
                lost,
                () -> reclaim(shard, lost.knownTokens(), BEGIN),
                () -> acquireNow(limits, shard, request, lost));
    }

    private CompletableFuture<Acquisition> whenReclaimed(
            Shard shard,
            LostAnswers lost,
            @Nullable Supplier<CompletableFuture<Void>> reclaim,
            Supplier<CompletableFuture<Acquisition>> acquire) {
        CompletableFuture<Void> first = lost.begin(servers.now(shard), reclaim);
        return (first == null) ? acquire.get() : first.thenCompose(done -> whenReclaimed(shard, lost, null, acquire));
    }

    /**
     * Releases the leases of lost replies as {@link #acquire} does, but acquires nothing. Does not wait. Returns
     * whether a later call may release more.
     */
    public boolean releaseLost(Shard shard) {
        LostAnswers lost = lostAnswers.get(shard);
        Long now = servers.now(shard);
        if (lost != null && lost.begin(now, () -> reclaim(shard, lost.knownTokens(), BEGIN)) == null) {
            lost.notTaken();
        }
        return lost != null && now != null && lost.untilReclaim(now) != null;
    }

    /** Calls {@link #releaseLost(Shard)} for all shards of a queue. */
    public boolean releaseLost(String queue) {
        boolean more = false;
        for (Shard shard : lostAnswers.keySet()) {
            more |= shard.queue().equals(queue) && releaseLost(shard);
        }
        return more;
    }

    private LostAnswers lostAnswers(Shard shard) {
        return new LostAnswers("Queue '" + shard.queue() + "', shard " + shard.index(), servers.patienceMillis());
    }

    /** Releases the leases of lost replies in steps. */
    CompletableFuture<Void> reclaim(Shard shard, byte[][] knownTokens, String cursor) {
        List<byte[]> args = new ArrayList<>(List.of(holder, bytes(cursor)));
        args.addAll(List.of(knownTokens));
        return scripts.run(Script.RECLAIM, shard, "reclaim", "leases", args).thenCompose(reply -> {
            String next = reply.text(0);
            return next.equals(BEGIN) ? CompletableFuture.completedFuture(null) : reclaim(shard, knownTokens, next);
        });
    }

    private CompletableFuture<Acquisition> acquireNow(
            @Nullable KeyLimits limits, Shard shard, AcquireRequest request, LostAnswers lost) {
        Long notAfter = servers.endOfPatience(shard);
        return Guard.call(() -> take(limits, shard, request, lost, notAfter)).whenComplete((acquisition, error) -> {
            if (acquisition != null) {
                lost.answered(acquisition.token());
            } else if (Causes.of(error) instanceof TaskStoreException failure && !failure.mayHaveBeenApplied()) {
                lost.notTaken();
            } else {
                lost.lost(notAfter);
            }
        });
    }

    private CompletableFuture<Acquisition> take(
            @Nullable KeyLimits limits,
            Shard shard,
            AcquireRequest request,
            LostAnswers lost,
            @Nullable Long notAfter) {
        boolean still = scripts.clock().standstill() != null;
        List<byte[]> args = new ArrayList<>(List.of(
                bytes(request.limit()),
                bytes(request.lease().toMillis()),
                bytes(request.maxLeaseExpiries()),
                bytes(request.maxBytes()),
                bytes(request.maxSuspects()),
                // While the clock stands still, acquires do not apply a rate.
                bytes(still ? "0" : Double.toString(request.catchUpPerSecond())),
                still || notAfter == null ? NOTHING : bytes(notAfter),
                holder,
                request.keepsDead() ? ONE : ZERO,
                millis(request.expiry().expiresAfter()),
                request.expiry().kept() ? ONE : ZERO));
        if (limits != null) {
            args.add(bytes(StoredKeyLimits.intervalMicros(limits)));
            args.add(bytes(limits.concurrency().orElse(0)));
            args.add(bytes(limits.burst().orElse(0)));
        }
        Script script = limits == null ? Script.POP_DUE : Script.POP_DUE_LIMITED;
        long offsetMillis = scripts.clock().aheadMillis();
        long sent = System.nanoTime();
        return scripts.run(script, shard, "acquire", "due tasks", args).thenApply(reply -> {
            Duration untilNext = untilNext(reply);
            if (still) {
                boolean more = untilNext != null && untilNext.isZero();
                return acquisition(shard, reply, more ? untilNext : null, System.nanoTime());
            }
            long micros = reply.number(0);
            long at = (micros == 0) ? System.nanoTime() : servers.heard(shard, micros, offsetMillis, sent);
            return acquisition(shard, reply, earlier(untilNext, lost.untilReclaim(servers.now(shard))), at);
        });
    }

    private static byte[] millis(@Nullable Duration duration) {
        return duration == null ? NOTHING : bytes(duration.toMillis());
    }

    /** Returns the time until the shard needs attention again; {@code null} if it has no tasks. */
    private static @Nullable Duration untilNext(Reply reply) {
        return reply.has(1)
                ? Duration.of(Math.max(0, reply.number(1) * 1000 - reply.number(0)), ChronoUnit.MICROS)
                : null;
    }

    private static @Nullable Duration earlier(@Nullable Duration a, @Nullable Duration b) {
        if (a == null || b == null) {
            return (a == null) ? b : a;
        }
        return a.compareTo(b) <= 0 ? a : b;
    }

    private static Acquisition acquisition(Shard shard, Reply reply, @Nullable Duration untilNext, long callNanoTime) {
        Map<String, String> dead = new LinkedHashMap<>();
        reply.list(5).rows(2).forEach(row -> dead.put(row.id(0), row.text(1)));
        return new Acquisition(
                shard,
                reply.has(2) ? reply.number(2) : 0,
                reply.list(4).rows(3).map(LeaseStore::acquiredTask).toList(),
                untilNext,
                reply.number(0),
                callNanoTime,
                dead,
                reply.list(6).ids(),
                reply.has(7),
                Duration.ofMillis(reply.number(8)),
                reply.count(9));
    }

    /**
     * @param row the id, the envelope, and the due time with the numbers of failures and of expired leases if there are
     *     any, separated by colons
     */
    private static AcquiredTask acquiredTask(Reply row) {
        String history = row.text(2);
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
        byte[] stored = row.bytes(1);
        return new AcquiredTask(
                row.id(0), EnvelopeFormat.taskKey(stored), dueAt, failures, expired, EnvelopeFormat.decode(stored));
    }

    /**
     * Ends leases. Returns one value for each settlement, in order: {@code true} if the lease was settled, {@code
     * false} if the stored token differs and nothing was changed.
     *
     * @param settlements 1 to {@link TaskStore#MAX_BATCH}, without duplicate ids
     */
    public CompletableFuture<List<Boolean>> settle(Shard shard, List<Settlement> settlements) {
        boolean isTold = scripts.historyLengths().applyAsInt(shard.queue()) > 0;
        List<byte[]> args = new ArrayList<>(3 * settlements.size());
        for (Settlement settlement : settlements) {
            args.add(IdEncoding.bytes(settlement.id()));
            args.add(bytes(settlement.token()));
            args.add(ending(settlement, isTold));
        }
        return scripts.run(Script.SETTLE, shard, "settle", settlements.size() + " leases", args)
                .thenApply(Reply::verdicts);
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
        return scripts.run(Script.RENEW, shard, "renew", leases.size() + " leases", args)
                .thenApply(reply -> reply.rows(1).map(LeaseStore::renewal).toList());
    }

    private static Renewal renewal(Reply verdict) {
        return switch (verdict.count(0)) {
            case 1 -> Renewal.HELD;
            case 2 -> Renewal.HELD_WHILE_ANOTHER_WAITS;
            default -> Renewal.LOST;
        };
    }
}
