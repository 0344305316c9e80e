// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The rounds on one database: for every day one at each point of failure, and as many more as it takes to meet each of
 * the steps. {@code -Ddelayqueue.outbox.rounds=N} for more.
 */
abstract class OutboxRoundsContract {

    private static final int ROUNDS =
            Integer.getInteger("delayqueue.outbox.rounds", FailurePoint.all().size());

    private static final int MOST_TIMES = 4;
    private static final long SEED = Long.getLong("delayqueue.outbox.seed", 2);

    abstract RoundsDatabase database();

    @Test
    void redisHoldsWhatWasCommittedWhereverAnApplicationDied() throws Exception {
        run(ROUNDS, SEED);
    }

    @Test
    @Tag("long")
    void redisHoldsWhatWasCommittedInAThousandRounds() throws Exception {
        run(1000, SEED + 1);
    }

    private void run(int rounds, long seed) throws InterruptedException {
        try (OutboxRounds each = new OutboxRounds(database())) {
            int made = each.run(rounds, MOST_TIMES * rounds, seed);
            assertThat(each.findings()).isEmpty();
            assertThat(each.met()).containsOnlyKeys(Step.values());
            assertThat(each.deaths()).isGreaterThan(made / 3);
            assertThat(each.standstills()).isPositive();
            assertThat(each.repeated()).isPositive();
        }
    }
}
