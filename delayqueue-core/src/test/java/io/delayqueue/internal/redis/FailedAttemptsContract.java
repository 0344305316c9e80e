// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.Due;
import io.delayqueue.FailedAttempt;
import io.delayqueue.TaskState;
import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.store.MigrationHold;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.StoredTask;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The data of a task about its last failed attempts, and about the process that has its lease. */
abstract class FailedAttemptsContract extends StoreContract {

    private static final Shard OTHER = new Shard("orders", 1);

    FailedAttemptsContract(ContractStore kept) {
        super(kept);
    }

    private StoredTask find(String id) {
        return get(store.tasks().find(SHARD, id)).orElseThrow();
    }

    private void fail(String id, String reason) {
        settle(Settlement.retry(id, lease(id), Duration.ZERO, true, false, reason));
        moveClock(1);
    }

    private List<String> reasons(String id) {
        return find(id).failedAttempts().stream().map(FailedAttempt::reason).toList();
    }

    @Test
    void findWhenAttemptsHaveFailedSaysWhenAndWhyTheNewestLast() {
        schedule("a", 1, now - MINUTE);
        assertThat(find("a").failedAttempts()).isEmpty();
        long token = lease("a");
        long before = state().serverMillis() + clockOffset.get();
        settle(Settlement.retry("a", token, Duration.ZERO, true, false, "no: answer"));
        long after = state().serverMillis() + clockOffset.get();
        moveClock(MINUTE);

        settle(Settlement.dead("a", lease("a"), true, "hopeless"));

        List<FailedAttempt> attempts = find("a").failedAttempts();
        assertThat(attempts).extracting(FailedAttempt::reason).containsExactly("no: answer", "hopeless");
        assertThat(attempts.get(0).at()).isBetween(Instant.ofEpochMilli(before), Instant.ofEpochMilli(after));
        assertThat(attempts.get(1).at()).isAfterOrEqualTo(attempts.get(0).at().plusMillis(MINUTE));
        assertThat(find("a").lastReason()).isEqualTo("hopeless");
    }

    @Test
    void findWhenManyAttemptsHaveFailedSaysTheLastFiveAndTheBeginningOfTheirReasons() {
        schedule("a", 1, now - MINUTE);
        for (int i = 1; i <= 7; i++) {
            fail("a", i + "x".repeat(250));
        }

        assertThat(reasons("a")).extracting(reason -> reason.charAt(0)).containsExactly('3', '4', '5', '6', '7');
        assertThat(reasons("a")).allMatch(reason -> reason.length() == StoredTask.LONGEST_REASON);
        assertThat(find("a").lastReason()).isEqualTo("7" + "x".repeat(250));
        assertThat(find("a").failures()).isEqualTo(7);
    }

    @Test
    void findWhenALeaseRanOutSaysWhenItEnded() {
        schedule("a", 1, now - MINUTE);
        lease("a");
        long end = find("a").nextAttentionAt().toEpochMilli();
        moveClock(LEASE.toMillis() + 10 * MINUTE);

        lease("a");

        assertThat(find("a").failedAttempts())
                .containsExactly(new FailedAttempt(Instant.ofEpochMilli(end), "lease expired"));
    }

    @Test
    void findWhenTooManyLeasesRanOutSaysEach() {
        schedule("a", 1, now - MINUTE);
        for (int i = 0; i <= MAX_EXPIRED; i++) {
            lease("a");
            moveClock(LEASE.toMillis() + MINUTE);
        }
        acquire(1);

        assertThat(find("a").state()).isEqualTo(TaskState.DEAD);
        assertThat(reasons("a")).containsExactly("lease expired", "lease expired", "lease expired");
    }

    @Test
    void findWhenAnAttemptDoesNotCountSaysNothingOfIt() {
        schedule("a", 1, now - MINUTE);
        settle(Settlement.retry("a", lease("a"), Duration.ZERO, false, true, "nacked"));
        moveClock(1);
        release("a", lease("a"));

        assertThat(find("a").failedAttempts()).isEmpty();
        assertThat(find("a").lastReason()).isEqualTo("nacked");
    }

    @Test
    void findWhenRescheduledPutOffReleasedOrRedrivenStillSaysWhy() {
        schedule("a", 1, now - MINUTE);
        fail("a", "first");
        reschedule("a", at(now - MINUTE));
        assertThat(reasons("a")).containsExactly("first");
        settle(Settlement.retry("a", lease("a"), Duration.ZERO, false, true, "nacked"));
        moveClock(1);
        long token = lease("a");
        reschedule("a", at(now - MINUTE));
        assertThat(reasons("a")).containsExactly("first");
        release("a", token);
        settle(Settlement.dead("a", lease("a"), false, "second"));

        get(StoreCalls.redrive(store, SHARD, StoreCalls.dueNow(List.of("a"))));

        assertThat(reasons("a")).containsExactly("first", "second");
        assertThat(find("a").failures()).isZero();
        moveClock(1);
        fail("a", "third");
        assertThat(reasons("a")).containsExactly("first", "second", "third");
        assertThat(find("a").failures()).isEqualTo(1);
    }

    @Test
    void redriveWhenNoDeliveryCanBeUnderWayForgetsTheReasonButNotTheAttempts() {
        schedule("a", 1, now - MINUTE);
        settle(Settlement.dead("a", lease("a"), false, "hopeless"));

        get(StoreCalls.redrive(store, SHARD, StoreCalls.dueNow(List.of("a"))));

        assertThat(find("a").lastReason()).isNull();
        assertThat(reasons("a")).containsExactly("hopeless");
        assertThat(cancel("a")).isEqualTo(io.delayqueue.CancelOutcome.CANCELLED);
        assertThat(state().attempts()).isEmpty();
    }

    @Test
    void findWhenScheduledAgainOrOfANewRoundSaysNothingOfWhatWasBefore() {
        schedule("a", 1, now - MINUTE);
        fail("a", "first");
        settle(Settlement.again("a", lease("a"), Due.after(Duration.ZERO)));
        moveClock(1);
        assertThat(find("a").failedAttempts()).isEmpty();
        fail("a", "of the round");
        schedule("a", 2, now - MINUTE);

        assertThat(find("a").failedAttempts()).isEmpty();
    }

    @Test
    void findWhenMigratedSaysTheSame() {
        schedule("a", 1, now - MINUTE);
        fail("a", "first");
        List<FailedAttempt> before = find("a").failedAttempts();
        MigrationHold hold =
                get(store.migrations().hold(SHARD, ShardingVersion.NONE, List.of("a"), Duration.ofMinutes(1), 1 << 20));

        get(store.migrations().takeIn(OTHER, ShardingVersion.NONE, hold.deadline(), hold.token(), hold.tasks()));

        assertThat(get(store.tasks().find(OTHER, "a")).orElseThrow().failedAttempts())
                .isEqualTo(before)
                .hasSize(1);
    }

    private void failWithTrace(String id, String reason, String trace, boolean counts) {
        settle(Settlement.retry(id, lease(id), Duration.ZERO, counts, false, reason)
                .withStackTrace(trace));
        moveClock(1);
    }

    @Test
    void findWhenAFailureHasAStackTraceSaysTheLastOne() {
        schedule("a", 1, now - MINUTE);
        assertThat(find("a").stackTrace()).isNull();
        failWithTrace("a", "put off", "Zürich\n\tat A.b", false);
        assertThat(find("a").stackTrace()).isEqualTo("Zürich\n\tat A.b");
        assertThat(find("a").lastReason()).isEqualTo("put off");
        assertThat(reasons("a")).isEmpty();

        for (int i = 0; i < 7; i++) {
            failWithTrace("a", i + "x".repeat(250), i + "y".repeat(16_000), true);
        }

        assertThat(find("a").stackTrace()).isEqualTo("6" + "y".repeat(16_000));
        assertThat(find("a").lastReason()).isEqualTo("6" + "x".repeat(250));
        assertThat(reasons("a")).extracting(reason -> reason.charAt(0)).containsExactly('2', '3', '4', '5', '6');
        assertThat(get(store.shards().page(SHARD, PageRequest.live(10))).tasks())
                .singleElement()
                .satisfies(task -> assertThat(task.lastReason()).startsWith("6x"));
    }

    @Test
    void findWhenALaterFailureHasNoStackTraceSaysNoneOfTheEarlierOne() {
        schedule("a", 1, now - MINUTE);
        failWithTrace("a", "first", "trace", true);
        fail("a", "second");
        assertThat(find("a").stackTrace()).isNull();

        failWithTrace("a", "third", "trace", true);
        lease("a");
        moveClock(LEASE.toMillis() + MINUTE);
        lease("a");
        assertThat(find("a").stackTrace()).isNull();
        assertThat(reasons("a")).containsExactly("first", "second", "third", "lease expired");
    }

    @Test
    void findWhenDeadRedrivenOrMigratedKeepsTheStackTraceUntilTheTaskIsGone() {
        schedule("a", 1, now - MINUTE);
        settle(Settlement.dead("a", lease("a"), false, "hopeless").withStackTrace("trace"));
        get(StoreCalls.redrive(store, SHARD, StoreCalls.dueNow(List.of("a"))));
        assertThat(find("a").stackTrace()).isEqualTo("trace");
        assertThat(find("a").lastReason()).isNull();
        MigrationHold hold =
                get(store.migrations().hold(SHARD, ShardingVersion.NONE, List.of("a"), Duration.ofMinutes(1), 1 << 20));
        get(store.migrations().takeIn(OTHER, ShardingVersion.NONE, hold.deadline(), hold.token(), hold.tasks()));
        assertThat(get(store.tasks().find(OTHER, "a")).orElseThrow().stackTrace())
                .isEqualTo("trace");

        schedule("b", 1, now - MINUTE);
        failWithTrace("b", "first", "trace", true);
        assertThat(cancel("b")).isEqualTo(io.delayqueue.CancelOutcome.CANCELLED);
        schedule("b", 2, now - MINUTE);
        assertThat(find("b").stackTrace()).isNull();
    }

    @Test
    void findWhenLeasedNamesTheProcess() {
        schedule("a", 1, now - MINUTE);
        assertThat(find("a").holder()).isNull();

        long token = lease("a");

        assertThat(find("a").holder()).isEqualTo(ProcessName.OWN);
        moveClock(1_000);
        get(store.leases().renew(SHARD, List.of(new io.delayqueue.internal.store.LeaseRef("a", token)), LEASE));
        assertThat(find("a").holder()).isEqualTo(ProcessName.OWN);
        settle(Settlement.retry("a", token, Duration.ZERO, true, false, "r"));
        assertThat(find("a").holder()).isNull();
    }

    @Test
    void pageWhenATaskIsLeasedNamesTheProcess() {
        schedule("a", 1, now - MINUTE);
        schedule("b", 1, now + MINUTE);
        lease("a");

        assertThat(get(store.shards().page(SHARD, PageRequest.live(10))).tasks())
                .extracting(StoredTask::holder)
                .containsExactlyInAnyOrder(ProcessName.OWN, null);
    }

    @Test
    void findWhenATaskWaitsForTheEndOfADeliveryNamesTheProcess() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");

        get(StoreCalls.reschedule(store, SHARD, ShardingVersion.NONE, "a", at(now)));

        assertThat(find("a").holder()).isEqualTo(ProcessName.OWN);
        moveClock(1_000);
        get(store.leases().renew(SHARD, List.of(new io.delayqueue.internal.store.LeaseRef("a", token)), LEASE));
        assertThat(find("a").holder()).isEqualTo(ProcessName.OWN);
        assertThat(release("a", token)).isFalse();
        assertThat(find("a").holder()).isNull();
    }
}
