// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.EncodedPayload;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.TaskContent;
import io.delayqueue.TaskIds;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.admin.PurgeResult;
import io.delayqueue.internal.calls.SendPermit;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.DeadTrim;
import io.delayqueue.internal.store.Expiry;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.store.GroupPosition;
import io.delayqueue.internal.store.LeaseRef;
import io.delayqueue.internal.store.LongestWait;
import io.delayqueue.internal.store.MigrationHold;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Page;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Position;
import io.delayqueue.internal.store.Renewal;
import io.delayqueue.internal.store.ScheduleMode;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardGroupChange;
import io.delayqueue.internal.store.ShardRedrive;
import io.delayqueue.internal.store.ShardStats;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.TaskUpdate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Runs steps on a store and on {@link ShardModel}, and compares answers and all keys after each.
 *
 * <p>The store's clock is real and cannot be frozen. So no time is ever guessed: where the answer tells the server's
 * time (acquire, and the due time of a schedule) the model computes with that, to the millisecond. Where it does not
 * (the next attempt after a retry, the time of death, a relative reschedule) the time is taken from the keys, and must
 * lie between the server's clock before the call and after it; both are read together with the keys. Decisions that
 * hang on a time not told (KEEP_EARLIER and KEEP_LATER with a delay that was kept, counts of due tasks) are checked for
 * both ends.
 */
final class ShardModelDriver {

    private static final Shard SHARD = new Shard("model", 0);
    /** Where tasks migrate to. Its server's clock is an hour ahead. */
    private static final Shard OTHER = new Shard("model", 1);

    private static final long AHEAD = 3_600_000;

    private static final long LONGEST_WAIT = 20 * 60_000;
    /** Of three of the five ids. */
    private static final String GROUP = "g";

    private static final int MAX_EXPIRED = 2;
    private static final long MINUTE = 60_000;
    private static final Instant END = Instant.parse("9999-12-31T23:59:59.999Z");

    private final ContractStore kept;
    private final AtomicLong offset = new AtomicLong();

    /** The latest time of the shard's clock in an acquire; the clock may have been set back since. */
    private long furthest;

    private final TaskStore store;
    private final TaskStore otherStore;
    /** The token of the last delivery of each id, by either shard. */
    private final Map<String, Long> delivered = new HashMap<>();

    private final ShardModel model = new ShardModel();
    /** Leases the client remembers. */
    private final List<LeaseRef> leases = new ArrayList<>();
    /** The base of absolute times. */
    private final long start;
    /** The keys before the step. */
    private ShardState before;
    /** The keys after the step's call. */
    private ShardState after;

    private long lastToken;
    private int steps;

    ShardModelDriver(ContractStore kept) {
        this.kept = kept;
        kept.clear();
        this.store = kept.tasks(Duration.ofSeconds(10), offset::get);
        this.otherStore = kept.tasks(Duration.ofSeconds(10), () -> offset.get() + AHEAD);
        this.before = state();
        this.start = before.serverMillis();
    }

    void run(Step step) {
        after = null;
        if (step instanceof Step.Schedule schedule) {
            schedule(schedule.tasks());
        } else if (step instanceof Step.Acquire acquire) {
            acquire(acquire);
        } else if (step instanceof Step.Settle settle) {
            settle(settle);
        } else if (step instanceof Step.Renew renew) {
            renew(renew);
        } else if (step instanceof Step.DeadPages pages) {
            deadPages(pages.size());
        } else if (step instanceof Step.Redrive redrive) {
            redrive(redrive);
        } else if (step instanceof Step.Discard discard) {
            discard(discard);
        } else if (step instanceof Step.Trim trim) {
            trim(trim);
        } else if (step instanceof Step.Pause) {
            pause();
        } else if (step instanceof Step.Resume) {
            resume();
        } else if (step instanceof Step.Purge purge) {
            purge(purge.limit());
        } else if (step instanceof Step.Migrate migrate) {
            migrate(migrate);
        } else if (step instanceof Step.Cancel cancel) {
            cancel(id(cancel.id()));
        } else if (step instanceof Step.Reschedule reschedule) {
            reschedule(reschedule);
        } else if (step instanceof Step.Update update) {
            update(id(update.id()), "u" + update.payload());
        } else if (step instanceof Step.LivePages pages) {
            livePages(pages.size());
        } else if (step instanceof Step.CancelGroup) {
            assertSame(changeGroup(GroupChange.cancel()), model.cancelGroup(GROUP));
        } else if (step instanceof Step.PutOffGroup put) {
            putOffGroup(put);
        } else if (step instanceof Step.GroupPages) {
            groupPages();
        } else if (step instanceof Step.Find find) {
            find(id(find.id()));
        } else if (step instanceof Step.Stats) {
            stats();
        } else if (step instanceof Step.MoveClock move) {
            offset.addAndGet(move.minutes() * MINUTE);
        } else if (step instanceof Step.Crash) {
            leases.clear();
        } else if (step instanceof Step.ForgetScripts) {
            kept.forgetScripts();
        }
        if (after == null) {
            after = state();
        }
        assertThat(after).as("keys after %s", step).isEqualTo(model.state());
        assertThat(after.trails()).as("failed attempts after %s", step).isEqualTo(model.trails());
        assertThat(after.brokenInvariant()).as("invariant 1 after %s", step).isEmpty();
        before = after;
    }

    private <T> T call(CompletableFuture<T> call) {
        T answer = StoreContract.get(call);
        after = state();
        return answer;
    }

    private ShardState state() {
        return kept.state(SHARD);
    }

    /**
     * Returns whether a task that is scheduled now has to wait for a lease. Leases and clock change by minutes, so that
     * the duration of a call does not matter.
     */
    private boolean waits(String id) {
        return model.isLeasedAfter(id, earliest());
    }

    private static String id(int number) {
        return number < 2 ? "t" + number : TaskIds.inGroup(GROUP, "t" + number);
    }

    /** The shard's clock was at least this at the call ... */
    private long earliest() {
        return before.serverMillis() + offset.get();
    }

    /** ... and at most this. */
    private long latest() {
        return after.serverMillis() + offset.get();
    }

    private void assertWithinCall(long moment, long delay) {
        assertThat(moment).isBetween(earliest() + delay, latest() + delay + 1);
    }

    private static Due due(boolean relative, long start, int minutes) {
        return relative ? new Due(true, minutes * MINUTE) : new Due(false, start + minutes * MINUTE);
    }

    private void schedule(List<Step.Task> tasks) {
        Map<String, Step.Task> wanted = new LinkedHashMap<>();
        tasks.forEach(task -> wanted.putIfAbsent(id(task.id()), task));
        List<NewTask> batch = new ArrayList<>();
        wanted.forEach((id, task) -> batch.add(new NewTask(
                id,
                StoreContract.requestId(task.request()),
                due(task.relative(), start, task.minutes()),
                task.policy(),
                content(task),
                0)));

        // As during a migration: a task that the other shard has delivered comes back.
        long leastToken = StoreContract.get(otherStore
                        .tasks()
                        .schedule(OTHER, ShardingVersion.NONE, ScheduleMode.ONLY_STORED, 0, new SendPermit(), batch))
                .stream()
                .mapToLong(ScheduleReply::lastToken)
                .max()
                .orElseThrow();

        List<ScheduleReply> replies = call(store.tasks()
                .schedule(SHARD, ShardingVersion.NONE, ScheduleMode.EACH, leastToken, new SendPermit(), batch));

        assertThat(replies).hasSameSizeAs(batch);
        boolean written = false;
        for (int i = 0; i < batch.size(); i++) {
            written |= scheduled(batch.get(i), wanted.get(batch.get(i).id()), replies.get(i));
        }
        if (written) {
            model.counter = Math.max(model.counter, leastToken);
        }
    }

    private static TaskContent content(Step.Task task) {
        TaskContent content = StoreContract.content("p" + task.request(), task.expiresAfter() * MINUTE);
        return task.policy() == ConflictPolicy.DEBOUNCE
                ? debounced(content, LongestWait.addTo(content.headers(), Duration.ofMillis(LONGEST_WAIT)))
                : content;
    }

    static TaskContent debounced(TaskContent content, Map<String, String> headers) {
        return new TaskContent(content.contentType(), headers, content.payload());
    }

    /** Returns the last moment in the envelope, which must be the earlier one or start with the call; 0 for none. */
    private long lastMoment(String id, ConflictPolicy policy) {
        if (policy != ConflictPolicy.DEBOUNCE) {
            return 0;
        }
        String envelope = after.tasks().get(id);
        int at = envelope.indexOf(LongestWait.HEADER) + LongestWait.HEADER.length() + 1;
        long last = Long.parseLong(envelope.substring(at, at + 15));
        long known = model.lastMoment(id, earliest());
        boolean isKnown = known != 0 && known <= latest() + LONGEST_WAIT + 1;
        boolean isSure = known == model.lastMoment(id, latest()) && known <= earliest() + LONGEST_WAIT;
        if (!isKnown || (!isSure && last != known)) {
            assertWithinCall(last, LONGEST_WAIT);
        } else {
            assertThat(last).isEqualTo(known);
        }
        return last;
    }

    /** Returns whether the task was stored. */
    private boolean scheduled(NewTask sent, Step.Task task, ScheduleReply reply) {
        String id = sent.id();
        ConflictPolicy policy = sent.conflictPolicy();
        long answered = reply.dueAt().toEpochMilli();
        ShardModel.Task held = model.tasks.get(id);
        boolean isStored = (held == null || !held.isOf(task.request())) && reply.outcome() != ScheduleOutcome.KEPT;
        long last = isStored ? lastMoment(id, policy) : 0;
        if (!isStored) {
            assertThat(answered).isEqualTo(held.due);
        } else if (last != 0
                && (answered == last || (last < answered && answered >= earliest() && answered <= latest()))) {
            boolean isAsked = !sent.due().relative() && sent.due().millis() == answered;
            assertThat(isAsked || answered >= earliest())
                    .as("due now where the last moment has passed")
                    .isTrue();
            assertThat(
                            sent.due().relative()
                                    ? latest() + sent.due().millis() + 1
                                    : sent.due().millis())
                    .isGreaterThanOrEqualTo(answered);
        } else if (sent.due().relative()) {
            assertWithinCall(answered, sent.due().millis());
        } else {
            assertThat(answered).isEqualTo(sent.due().millis());
        }
        if (held != null && held.isOf(task.request())) {
            assertThat(reply.outcome().name()).isEqualTo(outcomeName(held.outcome));
        } else if (reply.outcome() == ScheduleOutcome.KEPT) {
            long low = sent.due().relative()
                    ? earliest() + sent.due().millis()
                    : sent.due().millis();
            long high = sent.due().relative()
                    ? latest() + sent.due().millis() + 1
                    : sent.due().millis();
            assertThat(List.of(
                            model.conflict(id, task.request(), low, policy),
                            model.conflict(id, task.request(), high, policy)))
                    .contains(ScheduleOutcome.KEPT);
        } else {
            assertThat(reply.outcome()).isEqualTo(model.conflict(id, task.request(), answered, policy));
            model.put(
                    id,
                    task.request(),
                    "p" + task.request(),
                    answered,
                    task.expiresAfter() * MINUTE,
                    reply.outcome(),
                    waits(id));
            model.tasks.get(id).last = last;
            return true;
        }
        return false;
    }

    private static String outcomeName(char code) {
        return switch (code) {
            case 'C' -> "CREATED";
            case 'R' -> "REPLACED";
            case 'D' -> "REPLACED_DEAD";
            default -> "REPLACED_IN_FLIGHT";
        };
    }

    private static Expiry tooLate(Step.Acquire step) {
        Duration longest = step.expiresAfter() == 0 ? null : Duration.ofMinutes(step.expiresAfter());
        return new Expiry(longest, step.expiredKept());
    }

    private void acquire(Step.Acquire step) {
        long lease = step.leaseMinutes() * MINUTE;
        Acquisition answer = call(store.leases()
                .acquire(
                        SHARD,
                        Acquires.without(
                                tooLate(step),
                                Acquires.of(
                                        step.limit(),
                                        Duration.ofMillis(lease),
                                        MAX_EXPIRED,
                                        1 << 20,
                                        step.maxSuspects()))));
        boolean empty = answer.serverMicros() == 0;
        assertThat(empty).as("only an empty shard's clock is not read").isEqualTo(model.isEmpty());
        long now = empty ? 0 : answer.serverMicros() / 1000;
        if (!empty) {
            assertWithinCall(now, 0);
        }

        ShardModel.Batch expected = model.acquire(
                answer.serverMicros(),
                step.limit(),
                lease,
                MAX_EXPIRED,
                step.maxSuspects(),
                step.expiresAfter() * MINUTE,
                step.expiredKept());

        assertThat(answer.tasks().stream()
                        .map(t ->
                                new ShardModel.Taken(t.id(), t.dueAt().toEpochMilli(), t.failures(), t.leaseExpiries()))
                        .toList())
                .isEqualTo(expected.taken());
        // A task that was due before the clock was set back stays due.
        furthest = Math.max(furthest, now);
        assertThat(answer.tasks()).allMatch(task -> task.dueAt().toEpochMilli() <= furthest);
        assertThat(answer.dead()).isEqualTo(expected.dead());
        assertThat(answer.newer()).isEmpty();
        assertThat(answer.token()).isEqualTo(expected.token());
        if (answer.token() != 0) {
            assertThat(answer.token()).isGreaterThan(lastToken);
            lastToken = answer.token();
        }
        Long next = model.paused && model.anyDue(now) ? null : model.nextAfter(now);
        Duration wait = next == null ? null : Duration.ofNanos((next * 1000 - answer.serverMicros()) * 1000);
        // If the limit is reached, there may be more; but if suspects were skipped, or tasks became dead instead, the
        // script may have seen all.
        boolean sawAll = (step.maxSuspects() < step.limit() && model.onlySuspectsAreDue(now))
                || (!answer.dead().isEmpty() && !model.anyDue(now));
        if (answer.tasks().size() == step.limit() && !(sawAll && Objects.equals(answer.untilNext(), wait))) {
            wait = Duration.ZERO;
        }
        assertThat(answer.untilNext()).isEqualTo(wait);
        answer.tasks().forEach(task -> leases.add(new LeaseRef(task.id(), answer.token())));
        assertLater(answer);
    }

    private void assertLater(Acquisition answer) {
        for (AcquiredTask task : answer.tasks()) {
            Long before = delivered.put(task.id(), answer.token());
            assertThat(before == null || before < answer.token())
                    .as("token %s of %s after %s", answer.token(), task.id(), before)
                    .isTrue();
        }
    }

    /** Returns a remembered lease, more often a recent one; a lease that never existed if there is none. */
    private LeaseRef lease(int pick, boolean wrongToken) {
        LeaseRef lease = leases.isEmpty()
                ? new LeaseRef(id(pick % 5), 1 + pick % 3)
                : leases.get(Math.max(0, leases.size() - 1 - pick % Math.min(leases.size(), 6)));
        return wrongToken ? new LeaseRef(lease.id(), lease.token() + 1000) : lease;
    }

    private void settle(Step.Settle step) {
        Map<String, Settlement> byId = new LinkedHashMap<>();
        for (Step.End end : step.ends()) {
            LeaseRef lease = lease(end.lease(), end.wrongToken());
            byId.putIfAbsent(
                    lease.id(),
                    switch (end.verb()) {
                        case ACK -> Settlement.ack(lease.id(), lease.token());
                        case RELEASE -> Settlement.release(lease.id(), lease.token());
                        case RETRY ->
                            Settlement.retry(
                                    lease.id(),
                                    lease.token(),
                                    Duration.ofMillis(end.minutes() * MINUTE),
                                    end.counts(),
                                    end.uncertain(),
                                    "r" + end.minutes());
                        case AGAIN ->
                            Settlement.again(
                                    lease.id(), lease.token(), Due.after(Duration.ofMillis(end.minutes() * MINUTE)));
                        case DEAD -> Settlement.dead(lease.id(), lease.token(), end.uncertain(), "b" + end.minutes());
                        case QUARANTINE ->
                            Settlement.quarantined(lease.id(), lease.token(), end.uncertain(), "q" + end.minutes());
                        case DISCARD ->
                            Settlement.dead(lease.id(), lease.token(), end.uncertain(), "")
                                    .discarding();
                    });
        }
        List<Settlement> settlements = List.copyOf(byId.values());

        List<Boolean> verdicts = call(store.leases().settle(SHARD, settlements));

        List<Boolean> expected = new ArrayList<>();
        for (Settlement settlement : settlements) {
            boolean quarantined = settlement.verb() == Settlement.Verb.QUARANTINE;
            Long moment = settlement.isDeath()
                    ? after.dead().get(settlement.id())
                    : after.index().get(settlement.id());
            boolean settled = model.settle(settlement, moment == null ? -1 : moment);
            boolean setsMoment = switch (settlement.verb()) {
                case ACK, DISCARD, RELEASE -> false;
                case RETRY, AGAIN, DEAD, QUARANTINE -> true;
            };
            if (settled && setsMoment) {
                assertThat(moment).as("moment of " + settlement.id()).isNotNull();
                assertWithinCall(
                        quarantined ? moment - DeadContract.QUARANTINE : moment,
                        settlement.due().millis());
            }
            expected.add(settled);
        }
        assertThat(verdicts).isEqualTo(expected);
    }

    private void renew(Step.Renew step) {
        Map<String, LeaseRef> byId = new LinkedHashMap<>();
        step.leases().forEach(pick -> {
            LeaseRef lease = lease(pick, step.wrongToken());
            byId.putIfAbsent(lease.id(), lease);
        });
        List<LeaseRef> refs = List.copyOf(byId.values());
        long lease = step.minutes() * MINUTE;

        List<Renewal> renewals = call(store.leases().renew(SHARD, refs, Duration.ofMillis(lease)));

        List<Renewal> expected = new ArrayList<>();
        for (LeaseRef ref : refs) {
            long held = model.tasks.containsKey(ref.id()) ? model.tasks.get(ref.id()).leaseEnd : 0;
            long moment = leaseEnd(after, ref.id());
            Renewal renewed = model.renew(ref.id(), ref.token(), moment);
            if (renewed.isHeld() && moment != held) {
                assertWithinCall(moment, lease);
            } else if (renewed.isHeld()) {
                assertThat(held).isGreaterThanOrEqualTo(earliest() + lease);
            }
            expected.add(renewed);
        }
        assertThat(renewals).isEqualTo(expected);
    }

    private static long leaseEnd(ShardState state, String id) {
        String lease = state.leases().get(id);
        return lease == null ? 0 : Long.parseLong(lease.split(":")[2]);
    }

    private void deadPages(int size) {
        List<String> seen = new ArrayList<>();
        PageRequest request = PageRequest.dead(size).withContent(1 << 20);
        Position position = request.after();
        while (position != null) {
            Page page = call(store.shards().page(SHARD, request.after(position)));
            for (StoredTask actual : page.tasks()) {
                ShardModel.Task task = model.tasks.get(actual.id());
                assertThat(actual.nextAttentionAt().toEpochMilli()).isEqualTo(task.shown());
                assertThat(actual.dueAt().toEpochMilli()).isEqualTo(task.due);
                assertThat(actual.failures()).isEqualTo(task.failures);
                assertThat(actual.leaseExpiries()).isEqualTo(task.expired);
                assertThat(actual.lastReason()).isEqualTo(task.reason);
                assertThat(new String(actual.content().payload(), StandardCharsets.UTF_8))
                        .isEqualTo(task.payload);
                seen.add(actual.id());
            }
            position = page.next();
        }
        assertThat(seen).isEqualTo(model.dead());
    }

    private void redrive(Step.Redrive step) {
        List<String> ids =
                step.ids().stream().map(ShardModelDriver::id).distinct().toList();
        List<Due> due = step.minutes().stream()
                .limit(ids.size())
                .map(minutes -> due(minutes == 0, start, minutes))
                .toList();

        Map<String, Due> dueById = new LinkedHashMap<>();
        for (int i = 0; i < ids.size(); i++) {
            dueById.put(ids.get(i), due.get(i));
        }

        ShardRedrive answer = call(StoreCalls.redrive(store, SHARD, dueById));

        List<Boolean> expected = new ArrayList<>();
        long last = -1;
        for (int i = 0; i < ids.size(); i++) {
            boolean relative = due.get(i).relative();
            long moment = relative
                    ? after.index().getOrDefault(ids.get(i), -1L)
                    : due.get(i).millis();
            boolean redriven = model.redrive(ids.get(i), moment);
            if (redriven && relative) {
                assertWithinCall(moment, 0);
            }
            last = redriven ? Math.max(last, moment) : last;
            expected.add(redriven);
        }
        assertThat(answer.verdicts()).isEqualTo(expected);
        assertThat(answer.lastDueAt()).isEqualTo(last < 0 ? null : Instant.ofEpochMilli(last));
    }

    private void discard(Step.Discard step) {
        List<String> ids = step.ids().stream().map(ShardModelDriver::id).toList();
        List<Boolean> verdicts = call(StoreCalls.discard(store, SHARD, ids));
        assertThat(verdicts).isEqualTo(ids.stream().map(model::discard).toList());
    }

    private void trim(Step.Trim step) {
        Duration retention = Duration.ofMinutes(step.retentionMinutes());
        List<String> dead = model.dead();

        DeadTrim answer = call(store.dead().trim(SHARD, retention, 500));

        assertThat(answer.ids()).hasSizeBetween(died(dead, earliest(), retention), died(dead, latest(), retention));
        assertThat(answer.ids()).isEqualTo(dead.subList(0, answer.ids().size()));
        assertThat(answer.more()).isFalse();
        answer.ids().forEach(model::discard);
    }

    private int died(List<String> dead, long now, Duration retention) {
        return (int) dead.stream()
                .filter(id -> model.tasks.get(id).moment <= now - retention.toMillis())
                .count();
    }

    private void pause() {
        boolean changed = call(store.shards().pause(SHARD));
        assertThat(changed).isEqualTo(!model.paused);
        if (changed) {
            model.paused = true;
            model.pausedSince = after.paused();
            assertWithinCall(Long.parseLong(model.pausedSince.substring(2)), 0);
        }
    }

    private void resume() {
        boolean changed = call(store.shards().resume(SHARD));
        assertThat(changed).isEqualTo(model.paused);
        model.paused = false;
    }

    private void purge(int limit) {
        long dead = model.dead().size();
        long leased = model.live().stream()
                .limit(limit)
                .filter(entry -> entry.getValue().token != 0)
                .count();

        PurgeResult answer = call(store.shards().purge(SHARD, limit));

        List<String> gone = model.purge(limit);
        long deadGone = dead - model.dead().size();
        assertThat(answer)
                .isEqualTo(new PurgeResult(
                        (int) (gone.size() - deadGone), (int) leased, (int) deadGone, model.tasks.size()));
    }

    private void migrate(Step.Migrate step) {
        List<String> ids = step.ids().stream().map(ShardModelDriver::id).toList();
        List<String> free = ids.stream()
                .filter(id -> model.tasks.containsKey(id) && model.tasks.get(id).token == 0)
                .toList();
        long leased = ids.stream().filter(model.tasks::containsKey).count() - free.size();

        MigrationHold answer =
                call(store.migrations().hold(SHARD, ShardingVersion.NONE, ids, Duration.ofMinutes(1), 1 << 20));

        assertThat(answer.tasks()).extracting(MigrationHold.Item::id).isEqualTo(free);
        assertThat(answer.busy()).isEqualTo((int) leased);
        assertThat(after.brokenInvariant()).as("invariant 1 while held").isEmpty();
        assertThat(after.holds()).containsOnlyKeys(free);
        if (free.isEmpty()) {
            return;
        }
        assertThat(answer.token())
                .isBetween(
                        Math.max(model.counter + 1, earliest() * 100),
                        Math.max(model.counter + 1, latest() * 100 + 99));
        lastToken = answer.token();
        model.counter = lastToken;
        assertThat(StoreContract.get(store.migrations()
                        .takeIn(OTHER, ShardingVersion.NONE, answer.deadline(), answer.token(), answer.tasks())))
                .isTrue();
        assertMigrated(free);
        if (step.takenIn()) {
            assertLater(StoreContract.get(otherStore
                    .leases()
                    .acquire(OTHER, Acquires.of(free.size(), Duration.ofMinutes(1), MAX_EXPIRED, 1 << 20, 500))));
        }
        clearOther();
        assertThat(call(store.migrations().end(SHARD, answer.token(), step.takenIn(), free)))
                .containsOnly(true);
        if (step.takenIn()) {
            free.forEach(model.tasks::remove);
        }
    }

    /** The other shard holds these tasks as they are here, and nothing else. */
    private void assertMigrated(List<String> ids) {
        ShardState here = after;
        ShardState there = kept.state(OTHER);
        Set<String> migrated = Set.copyOf(ids);
        for (Function<ShardState, Map<String, ?>> part : List.<Function<ShardState, Map<String, ?>>>of(
                ShardState::index, ShardState::tasks, ShardState::attempts, ShardState::dead)) {
            Map<String, Object> expected = new TreeMap<>(part.apply(here));
            expected.keySet().retainAll(migrated);
            assertThat(part.apply(there)).isEqualTo(expected);
        }
        assertThat(there.brokenInvariant()).isEmpty();
        assertThat(there.leases()).isEmpty();
    }

    /** Acknowledges the tasks that were delivered there, and ignores the rest. Its tokens keep increasing. */
    private void clearOther() {
        StoreContract.get(otherStore.shards().purge(OTHER, TaskStore.MAX_BATCH));
    }

    private void cancel(String id) {
        CancelOutcome outcome = call(StoreCalls.cancel(store, SHARD, id));
        assertThat(outcome).isEqualTo(model.cancel(id));
    }

    private void reschedule(Step.Reschedule step) {
        String id = id(step.id());
        Due due = due(step.relative(), start, step.minutes());

        RescheduleOutcome outcome = call(StoreCalls.reschedule(store, SHARD, ShardingVersion.NONE, id, due));

        boolean waits = waits(id);
        long rescheduled = due.millis();
        if (due.relative() && outcome != RescheduleOutcome.NOT_FOUND) {
            assertThat(after.index()).containsKey(id);
            rescheduled = waits
                    ? Long.parseLong(after.leases().get(id).split(":")[3])
                    : after.index().get(id);
            assertWithinCall(rescheduled, due.millis());
        }
        assertThat(outcome).isEqualTo(model.reschedule(id, rescheduled, waits));
    }

    private void update(String id, String payload) {
        EncodedPayload encoded = new EncodedPayload("application/json", payload.getBytes(StandardCharsets.UTF_8));
        TaskUpdate update = new TaskUpdate(encoded, Map.of());
        UpdateOutcome outcome = call(StoreCalls.update(store, SHARD, ShardingVersion.NONE, id, update));
        assertThat(outcome).isEqualTo(model.update(id, payload));
    }

    private void livePages(int size) {
        List<String> seen = new ArrayList<>();
        Position position = Position.from(Instant.EPOCH);
        while (position != null) {
            Page page = call(store.shards().page(SHARD, PageRequest.live(size).after(position)));
            for (StoredTask actual : page.tasks()) {
                ShardModel.Task task = model.tasks.get(actual.id());
                assertThat(actual.state()).isEqualTo(task.state());
                assertThat(actual.dueAt().toEpochMilli()).isEqualTo(task.due);
                assertThat(actual.nextAttentionAt().toEpochMilli()).isEqualTo(task.shown());
                assertThat(actual.failures()).isEqualTo(task.failures);
                assertThat(actual.leaseExpiries()).isEqualTo(task.expired);
                assertThat(actual.lastReason()).isEqualTo(task.reason.isEmpty() ? null : task.reason);
                seen.add(actual.id());
            }
            position = page.next();
        }
        assertThat(seen).isEqualTo(model.live().stream().map(Map.Entry::getKey).toList());
    }

    private ShardGroupChange changeGroup(GroupChange change) {
        return call(StoreCalls.change(
                store,
                SHARD,
                ShardingVersion.NONE,
                new GroupPosition(TaskIds.groupPrefix(null, GROUP), "", 20),
                change));
    }

    private static void assertSame(ShardGroupChange actual, ShardGroupChange expected) {
        assertThat(actual.changed()).isEqualTo(expected.changed());
        assertThat(actual.begun()).containsExactlyInAnyOrderElementsOf(expected.begun());
        assertThat(actual.discarded()).isEqualTo(expected.discarded());
        assertThat(actual.next()).isEmpty();
    }

    private void putOffGroup(Step.PutOffGroup step) {
        long millis = step.minutes() * MINUTE;
        String name = "step " + steps++;
        GroupChange change = step.shift()
                ? GroupChange.shift(Duration.ofMillis(millis), name)
                : GroupChange.due(new Due(false, start + millis));

        ShardGroupChange done = changeGroup(change);

        assertSame(done, model.putOffGroup(GROUP, step.shift() ? null : Long.valueOf(start + millis), millis));
        if (step.shift()) {
            assertThat(changeGroup(change)).as("the same step, sent again").isEqualTo(done);
        }
    }

    private void groupPages() {
        List<StoredTask> page = call(store.groups()
                .page(SHARD, ShardingVersion.NONE, new GroupPosition(TaskIds.groupPrefix(null, GROUP), "", 20)));
        Map<String, ShardModel.Task> expected = new TreeMap<>(model.tasks);
        expected.keySet().removeIf(id -> !id.startsWith(TaskIds.groupPrefix(null, GROUP)));
        assertThat(page).extracting(StoredTask::id).containsExactlyInAnyOrderElementsOf(expected.keySet());
        assertThat(call(store.groups().count(SHARD, ShardingVersion.NONE, TaskIds.groupPrefix(null, GROUP))))
                .isEqualTo(expected.values().stream().filter(task -> !task.dead).count());
        for (StoredTask actual : page) {
            ShardModel.Task task = expected.get(actual.id());
            assertThat(actual.state()).isEqualTo(task.state());
            assertThat(actual.dueAt().toEpochMilli()).isEqualTo(task.due);
            assertThat(actual.nextAttentionAt().toEpochMilli()).isEqualTo(task.shown());
            assertThat(actual.failures()).isEqualTo(task.failures);
            assertThat(actual.leaseExpiries()).isEqualTo(task.expired);
            assertThat(actual.lastReason()).isEqualTo(task.reason.isEmpty() ? null : task.reason);
        }
    }

    private void find(String id) {
        Optional<StoredTask> found = call(store.tasks().find(SHARD, id));
        ShardModel.Task task = model.tasks.get(id);
        assertThat(found.isPresent()).isEqualTo(task != null);
        found.ifPresent(actual -> {
            assertThat(actual.state()).isEqualTo(task.state());
            assertThat(actual.dueAt().toEpochMilli()).isEqualTo(task.due);
            assertThat(actual.nextAttentionAt().toEpochMilli()).isEqualTo(task.shown());
            assertThat(actual.failures()).isEqualTo(task.failures);
            assertThat(actual.leaseExpiries()).isEqualTo(task.expired);
            assertThat(actual.lastReason()).isEqualTo(task.reason.isEmpty() ? null : task.reason);
            assertThat(new String(actual.content().payload(), StandardCharsets.UTF_8))
                    .isEqualTo(task.payload);
        });
    }

    private void stats() {
        ShardStats stats = call(store.shards().stats(SHARD));
        assertThat(stats.live()).isEqualTo(before.index().size());
        assertThat(stats.dead()).isEqualTo(before.dead().size());
        assertThat(stats.leased()).isEqualTo(before.leases().size());
        assertThat(stats.paused()).isEqualTo(model.paused);
        assertThat(stats.due()).isBetween(dueAt(earliest()), dueAt(latest()));
        assertThat(Optional.ofNullable(stats.nextAttention()).map(java.time.Instant::toEpochMilli))
                .isEqualTo(before.index().values().stream().min(Long::compare));
    }

    private long dueAt(long now) {
        return before.index().values().stream().filter(score -> score <= now).count();
    }
}
