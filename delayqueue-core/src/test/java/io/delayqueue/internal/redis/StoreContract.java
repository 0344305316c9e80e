// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TaskContent;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.TaskStore;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;

/**
 * The common part of the contracts: an empty store whose clock the test moves, and short forms of its calls. Times are
 * whole minutes around {@link #now}, so the milliseconds that a test takes never decide anything.
 */
public abstract class StoreContract {

    static final Shard SHARD = new Shard("orders", 0);
    static final Duration LEASE = Duration.ofSeconds(30);
    static final int MAX_EXPIRED = 2;
    static final long MINUTE = 60_000;

    final ContractStore kept;
    final AtomicLong clockOffset = new AtomicLong();
    TaskStore store;
    /** The fencing token of the tasks that were acquired last, as the shard keeps it. */
    String lastToken = "";
    /** The shard's clock when the test began. */
    long now;

    StoreContract(ContractStore kept) {
        this.kept = kept;
    }

    @BeforeEach
    void startEmpty() {
        kept.clear();
        store = process();
        now = state().serverMillis();
    }

    public static <T> T get(CompletableFuture<T> call) {
        try {
            return call.orTimeout(10, TimeUnit.SECONDS).join();
        } catch (CompletionException ex) {
            if (ex.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw ex;
        }
    }

    /** The store of one more process. */
    TaskStore process() {
        return kept.tasks(TestRedis.TIMEOUT, clockOffset::get);
    }

    ShardState state() {
        return kept.state(SHARD);
    }

    /** Runs a call that must leave every key as it was. */
    <T> T changesNothing(Supplier<T> call) {
        ShardState before = state();
        T answer = call.get();
        assertThat(state()).isEqualTo(before);
        return answer;
    }

    void moveClock(long millis) {
        clockOffset.addAndGet(millis);
        now += millis;
    }

    static byte[] requestId(int number) {
        byte[] id = new byte[16];
        id[0] = (byte) (number >> 8);
        id[15] = (byte) number;
        return id;
    }

    private static byte[] afterAMove(byte[] requestId) {
        try {
            return Arrays.copyOf(MessageDigest.getInstance("SHA-1").digest(requestId), 16);
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException(ex);
        }
    }

    static TaskContent content(String payload) {
        return new TaskContent("application/json", Map.of(), payload.getBytes(StandardCharsets.UTF_8));
    }

    /** The same of a task that says for how many milliseconds it may be overdue, unless that is 0. */
    static TaskContent content(String payload, long expiresAfter) {
        Map<String, String> headers =
                expiresAfter == 0 ? Map.of() : Map.of(TaskHeaders.EXPIRES_AFTER, Long.toString(expiresAfter));
        return new TaskContent("application/json", headers, payload.getBytes(StandardCharsets.UTF_8));
    }

    /** The stored form of {@link #content}. */
    static String envelope(char outcome, int request, String payload) {
        return envelope(outcome, request, 0, payload);
    }

    /** The stored form, after so many reschedules during a delivery. */
    static String envelope(char outcome, int request, int reschedules, String payload) {
        return envelope(outcome, request, reschedules, content(payload));
    }

    /** The stored form of this content, after so many reschedules during a delivery. */
    static String envelope(char outcome, int request, int reschedules, TaskContent content) {
        byte[] requestId = requestId(request);
        for (int i = 0; i < reschedules; i++) {
            requestId = afterAMove(requestId);
        }
        return ShardState.envelope(outcome, requestId, content);
    }

    public static NewTask task(String id, int request, Due due, ConflictPolicy policy, String payload) {
        return new NewTask(id, requestId(request), due, policy, content(payload), 0);
    }

    static Due at(long epochMillis) {
        return Due.at(Instant.ofEpochMilli(epochMillis));
    }

    ScheduleReply schedule(NewTask task) {
        return get(StoreCalls.schedule(store, SHARD, List.of(task))).get(0);
    }

    ScheduleReply schedule(String id, int request, long due) {
        return schedule(task(id, request, at(due), ConflictPolicy.REPLACE, "p" + request));
    }

    Acquisition acquire(int limit) {
        return noted(get(store.leases().acquire(SHARD, Acquires.of(limit, LEASE, MAX_EXPIRED, 1 << 20, 500))));
    }

    Acquisition noted(Acquisition acquisition) {
        if (acquisition.token() != 0) {
            lastToken = Long.toString(acquisition.token());
        }
        return acquisition;
    }

    /** Acquires the one task that must be due, and returns its token. */
    long lease(String id) {
        Acquisition acquisition = acquire(10);
        assertThat(acquisition.tasks()).extracting(AcquiredTask::id).containsExactly(id);
        return acquisition.token();
    }

    boolean settle(Settlement settlement) {
        return get(store.leases().settle(SHARD, List.of(settlement))).get(0);
    }

    boolean release(String id, long token) {
        return get(store.leases().settle(SHARD, List.of(Settlement.release(id, token))))
                .get(0);
    }

    CancelOutcome cancel(String id) {
        return get(StoreCalls.cancel(store, SHARD, id));
    }

    RescheduleOutcome reschedule(String id, Due due) {
        return get(StoreCalls.reschedule(store, SHARD, id, due));
    }

    static long millis(Acquisition acquisition) {
        return acquisition.serverMicros() / 1000;
    }
}
