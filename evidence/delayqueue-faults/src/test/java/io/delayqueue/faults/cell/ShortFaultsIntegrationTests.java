// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.faults.Seed;
import io.delayqueue.faults.check.Verdict;
import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Histories;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The short run of the fault matrix; {@code scripts/faults} runs all of it, and longer. */
@Tag("long")
class ShortFaultsIntegrationTests {

    /** Lateness is not judged, because concurrent builds also delay deliveries. */
    private static final RunOptions OPTIONS =
            new RunOptions(Duration.ofSeconds(12), Path.of("target", "faults"), false, new Seed(1));

    @Test
    void loadWhenAnApplicationAndThenRedisAreKilledFindsEveryWordKept() throws Exception {
        for (Cell cell : new Cells().ofShortRun()) {
            Verdict verdict = new CellRunner(OPTIONS).run(cell).verdict();
            assertThat(verdict.findings())
                    .as(verdict.line() + "; proofs in target/faults/" + cell.name() + "/verdict.txt")
                    .isEmpty();
            assertThat(verdict.scheduled()).as("the load worked").isGreaterThan(600);
            assertThat(verdict.delivered()).as("the load worked").isGreaterThan(480);
            assertThat(takenAfterTheirLeaseExpired(cell))
                    .as("the kill met tasks at work")
                    .isPositive();
        }
    }

    private static long takenAfterTheirLeaseExpired(Cell cell) {
        return Histories.read(OPTIONS.folder().resolve(cell.name())).stream()
                .filter(entry -> entry.event() instanceof Event.Acquired acquired && acquired.expiries() > 0)
                .count();
    }
}
