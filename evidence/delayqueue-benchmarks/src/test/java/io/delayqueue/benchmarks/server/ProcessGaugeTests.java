// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcessGaugeTests {

    @Test
    void cpuMicrosWhenAChildIsBusyGrowsNoFasterThanTheClock() throws IOException {
        long began = System.nanoTime();
        Process idle = new ProcessBuilder("sh", "-c", "sh -c 'while :; do :; done' & wait").start();
        try {
            ProcessGauge gauge = new ProcessGauge(idle.pid());

            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(gauge.cpuMicros()).isGreaterThan(50_000));
            long cpu = gauge.cpuMicros();
            assertThat(cpu).isLessThan((System.nanoTime() - began) / 1000 + 50_000);
        } finally {
            idle.descendants().forEach(ProcessHandle::destroyForcibly);
            idle.destroyForcibly();
        }
    }

    @Test
    void processThatDoesNotRunIsRefused() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();

        assertThatIllegalArgumentException().isThrownBy(() -> new ProcessGauge(ended.pid()));
    }
}
