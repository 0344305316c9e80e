// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.faults.Seed;
import io.delayqueue.faults.cell.Outcome.Ending;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunProcessIntegrationTests {

    @TempDir
    private Path folder;

    private RunOptions options;

    @BeforeEach
    void setUp() {
        options = new RunOptions(Duration.ofSeconds(10), folder, true, new Seed(1));
    }

    @Test
    void runWhenTheServerOfACellIsNotThereFailsAndSaysSo() throws InterruptedException {
        Outcome outcome = new RunProcess().run(new RunOrder("valkey-8", null, options));
        assertThat(outcome.ending()).isEqualTo(Ending.FAILED);
        assertThat(outcome.line()).contains("valkey-8 has no server");
    }

    @Test
    void runWhenTheOtherProcessCannotRunItHandsBackWhy() throws InterruptedException {
        Outcome outcome = new RunProcess().run(new RunOrder("no-such-cell", null, options));
        assertThat(outcome.ending()).isEqualTo(Ending.FAILED);
        assertThat(outcome.findings().get(0)).contains("There is no cell called 'no-such-cell'");
    }
}
