// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.faults.cell.Outcome.Ending;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OutcomeTests {

    @Test
    void failedWhenTheReasonNamesFoldersAndALogKeepsOneLineWithoutThem() {
        String here = Path.of("").toAbsolutePath().toString();

        Outcome outcome = Outcome.failed("quiet", "It stopped, see " + here + "/target/quiet.log\nStarted in " + here);

        assertThat(outcome.ending()).isEqualTo(Ending.FAILED);
        assertThat(outcome.findings()).containsExactly("It stopped, see target/quiet.log");
        assertThat(outcome.line())
                .isEqualTo("quiet                        FAIL could not be run: It stopped, see target/quiet.log");
    }
}
