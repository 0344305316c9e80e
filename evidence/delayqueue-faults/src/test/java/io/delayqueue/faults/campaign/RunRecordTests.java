// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.faults.cell.Outcome;
import io.delayqueue.faults.cell.Outcome.Ending;
import io.delayqueue.faults.check.Rule;
import org.junit.jupiter.api.Test;

class RunRecordTests {

    @Test
    void asEarlierWhenItCouldNotBeMadeSaysWhatStoppedIt() {
        assertThat(Made.record("mixed", 1, Outcome.failed("mixed", "Redis did not start"))
                        .asEarlier())
                .isEqualTo("before, on 2026-01-31, FAILED: Redis did not start");
    }

    @Test
    void asEarlierWhenRulesWereBrokenNamesThem() {
        assertThat(Made.record("mixed", 1, Made.outcome(Ending.BROKEN, Rule.LOST, Rule.LATE))
                        .asEarlier())
                .isEqualTo("before, on 2026-01-31, BROKEN: LOST, LATE");
    }
}
