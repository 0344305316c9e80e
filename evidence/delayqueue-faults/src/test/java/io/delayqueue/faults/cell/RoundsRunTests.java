// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.faults.cell.Outcome.Ending;
import io.delayqueue.faults.check.Rule;
import io.delayqueue.faults.mutant.Mutant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundsRunTests {

    private static final String LINE = "outbox-rounds                FAIL 9 rounds, broken [LOST]";

    @Test
    void ofWhenSomethingWasFoundSaysWhichRulesWereBroken() {
        RoundsRun run = RoundsRun.of(List.of("a log", LINE, "    LOST one", "    COMMIT_ORDER two", "    at a.B.c"));
        assertThat(run)
                .isEqualTo(new RoundsRun(
                        List.of(Rule.LOST, Rule.COMMIT_ORDER), List.of("LOST one", "COMMIT_ORDER two"), LINE));
        assertThat(Outcome.of("rounds", run).ending()).isEqualTo(Ending.BROKEN);
        assertThat(Outcome.of(Mutant.OUTBOX_DELETES_BEFORE_SENDING, run).ending())
                .isEqualTo(Ending.CONVICTED);
        assertThat(Outcome.of(Mutant.OUTBOX_SENDS_IN_ITS_TRANSACTION, run).ending())
                .isEqualTo(Ending.ACQUITTED);
    }

    @Test
    void ofWhenTheyDidNotComeToTheirEndIsNoVerdict() {
        assertThat(Outcome.of("rounds", RoundsRun.of(List.of("a log"))).ending())
                .isEqualTo(Ending.FAILED);
    }

    @Test
    void namesWhenAskedAreOnesOfADatabase() {
        assertThat(RoundsRun.names())
                .contains("outbox-rounds-postgres")
                .allSatisfy(name -> assertThat(name).endsWith("-" + RoundsRun.database(name)));
    }
}
