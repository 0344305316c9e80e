// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Measures this JVM. */
@EnabledOnOs(OS.LINUX)
class ProcessGaugeIntegrationTests {

    private static final int BYTES = 32 << 20;

    @TempDir
    private Path folder;

    private final ProcessGauge gauge = new ProcessGauge(ProcessHandle.current().pid());
    private byte[] held = new byte[0];

    @Test
    void liveHeapWhenBytesAreHeldAndLetGoFollows() throws Exception {
        Path file = folder.resolve("histogram.txt");
        Long before = gauge.liveHeap(file);
        held = new byte[BYTES];
        Long holding = gauge.liveHeap(file);
        assertThat(held).hasSize(BYTES);
        held = new byte[0];
        Long after = gauge.liveHeap(file);
        assertThat(before).isNotNull();
        assertThat(holding).isNotNull().isGreaterThan(before + BYTES - (4 << 20));
        assertThat(after).isNotNull().isLessThan(holding - BYTES + (4 << 20));
        assertThat(file).content().contains("[B");
    }

    /** Opens many files, because the tests beside this one close some of theirs. */
    @Test
    void sampleWhenFilesAreOpenCountsThem() throws Exception {
        Path file = Files.createFile(folder.resolve("open"));
        Sample.OfProcess before = gauge.sample(0, null);
        List<InputStream> open = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                open.add(Files.newInputStream(file));
            }
            Sample.OfProcess sample = gauge.sample(0, 5L);
            assertThat(before).isNotNull();
            assertThat(sample).isNotNull();
            assertThat(sample.files()).isGreaterThan(before.files());
            assertThat(sample.threads()).isPositive();
            assertThat(sample.residentKiB()).isPositive();
            assertThat(sample.liveHeap()).isEqualTo(5);
        } finally {
            for (InputStream each : open) {
                each.close();
            }
        }
    }

    @Test
    void sampleWhenThereIsNoSuchProcessIsNull() {
        assertThat(new ProcessGauge(Integer.MAX_VALUE).sample(0, null)).isNull();
    }
}
