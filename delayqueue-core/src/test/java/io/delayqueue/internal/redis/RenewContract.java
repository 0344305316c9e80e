// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.LeaseRef;
import io.delayqueue.internal.store.Renewal;
import io.delayqueue.internal.store.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Renewing: whose lease ends later, by how much, and whose does not. */
abstract class RenewContract extends StoreContract {

    private static final Duration LONG = Duration.ofMinutes(10);

    RenewContract(ContractStore kept) {
        super(kept);
    }

    private Renewal renew(String id, long token, Duration lease) {
        return get(store.leases().renew(SHARD, List.of(new LeaseRef(id, token)), lease))
                .get(0);
    }

    @Test
    void renewWhenTheTokenIsTheStoredOnePutsOffTheDeadlineAndNothingElse() {
        schedule("a", 1, now - MINUTE);
        schedule("b", 2, now + MINUTE);
        long token = lease("a");
        long before = state().serverMillis();

        assertThat(renew("a", token, LONG)).isEqualTo(Renewal.HELD);

        ShardState after = state();
        long deadline = after.index().get("a");
        assertThat(deadline).isBetween(before + LONG.toMillis(), after.serverMillis() + LONG.toMillis());
        assertThat(after)
                .isEqualTo(new ShardState(
                        0,
                        Map.of("a", deadline, "b", now + MINUTE),
                        Map.of("a", envelope('C', 1, "p1"), "b", envelope('C', 2, "p2")),
                        Map.of("a", "1:" + token + ":" + deadline + ":" + (now - MINUTE)),
                        Map.of(),
                        Map.of(),
                        lastToken));
        moveClock(LEASE.toMillis() + MINUTE);
        assertThat(acquire(10).tasks()).extracting(AcquiredTask::id).containsExactly("b");
        assertThat(settle(Settlement.ack("a", token))).isTrue();
    }

    @Test
    void renewWhenTheLeaseEndsLaterAnywayShortensNothing() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");

        assertThat(changesNothing(() -> renew("a", token, Duration.ofSeconds(1))))
                .isEqualTo(Renewal.HELD);
    }

    @Test
    void renewWhenTheLeaseIsToLastForEverCanStillBeEnded() {
        for (Duration endless : List.of(Duration.ofDays(365L * 1_000_000), Duration.ofMillis(Long.MAX_VALUE))) {
            String id = "a" + endless.toDays();
            schedule(id, 1, now - MINUTE);
            long token = lease(id);

            assertThat(renew(id, token, endless)).isEqualTo(Renewal.HELD);

            assertThat(acquire(1).tasks()).as("nobody else takes it").isEmpty();
            assertThat(settle(Settlement.retry(id, token, Duration.ofMinutes(2), true, false, "failed")))
                    .isTrue();
            assertThat(state().index().get(id)).isLessThan(now + 10 * MINUTE);
        }
    }

    @Test
    void renewWhenTheLeaseRanOutButNobodyTookTheTaskHoldsItAgain() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");
        moveClock(LEASE.toMillis() + MINUTE);

        assertThat(renew("a", token, LEASE)).isEqualTo(Renewal.HELD);

        assertThat(acquire(1).tasks()).isEmpty();
        assertThat(state().attempts()).isEmpty();
    }

    @Test
    void renewWhenTheTokenIsNotTheStoredOneChangesNothing() {
        schedule("a", 1, now - MINUTE);
        long stale = lease("a");
        moveClock(LEASE.toMillis() + MINUTE);
        long token = lease("a");

        for (long wrong : new long[] {stale, token + 1, 0, -1}) {
            assertThat(changesNothing(() -> renew("a", wrong, LONG))).isEqualTo(Renewal.LOST);
        }
        assertThat(changesNothing(() -> renew("absent", token, LONG))).isEqualTo(Renewal.LOST);
    }

    @Test
    void renewWhenTheTaskWasCancelledOrTheLeaseHasEndedChangesNothing() {
        for (String id : List.of("cancelled", "acked", "retried", "dead", "released")) {
            schedule(id, 1, now - MINUTE);
        }
        long token = acquire(10).token();
        cancel("cancelled");
        settle(Settlement.ack("acked", token));
        settle(Settlement.retry("retried", token, Duration.ZERO, true, false, "r"));
        settle(Settlement.dead("dead", token, false, "r"));
        release("released", token);

        for (String id : List.of("cancelled", "acked", "retried", "dead", "released")) {
            assertThat(changesNothing(() -> renew(id, token, LONG))).as(id).isEqualTo(Renewal.LOST);
        }
    }

    @Test
    void renewWhenSomeTokensAreStaleRenewsTheOthersAndAnswersInOrder() {
        schedule("a", 1, now - 3 * MINUTE);
        schedule("b", 2, now - 2 * MINUTE);
        schedule("c", 3, now - MINUTE);
        long token = acquire(10).token();
        cancel("b");

        assertThat(get(store.leases()
                        .renew(
                                SHARD,
                                List.of(new LeaseRef("a", token), new LeaseRef("b", token), new LeaseRef("c", token)),
                                LONG)))
                .containsExactly(Renewal.HELD, Renewal.LOST, Renewal.HELD);
        assertThat(state().index()).containsOnlyKeys("a", "c");
        assertThat(state().index().values()).allMatch(deadline -> deadline > now + 9 * MINUTE);
        assertThat(state().brokenInvariant()).isEmpty();
    }

    @Test
    void renewWhenTheTaskHadFailedKeepsItsCountsAndDueTime() {
        schedule("a", 1, now - MINUTE);
        settle(Settlement.retry("a", lease("a"), Duration.ZERO, true, false, "failed"));
        moveClock(MINUTE);
        long token = lease("a");
        Map<String, String> attempts = state().attempts();

        renew("a", token, LONG);

        assertThat(state().attempts()).isEqualTo(attempts);
        assertThat(release("a", token)).isTrue();
        assertThat(state().index()).containsExactly(Map.entry("a", now - 2 * MINUTE));
    }
}
