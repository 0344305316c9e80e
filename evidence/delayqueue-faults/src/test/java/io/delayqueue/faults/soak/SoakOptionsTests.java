// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.faults.Seed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SoakOptionsTests {

    @Test
    void ofWhenNothingIsSaidIsTwoHoursWithAFaultEachFiveMinutes() {
        SoakOptions options = SoakOptions.of(List.of());
        assertThat(options)
                .isEqualTo(new SoakOptions(
                        Duration.ofHours(2), Duration.ofMinutes(5), false, new Seed(1), Path.of("target")));
        assertThat(options.heapEvery()).isEqualTo(Duration.ofMinutes(1));
        assertThat(SoakOptions.slice(options.length())).isEqualTo(Duration.ofMinutes(15));
    }

    @Test
    void ofWhenTheRunIsShortMeasuresMoreOften() {
        SoakOptions options = SoakOptions.of(List.of("--minutes", "6", "--fault-every", "60", "--write-docs"));
        assertThat(options.length()).isEqualTo(Duration.ofMinutes(6));
        assertThat(options.between()).isEqualTo(Duration.ofMinutes(1));
        assertThat(options.heapEvery()).isEqualTo(Duration.ofSeconds(15));
        assertThat(SoakOptions.slice(options.length())).isEqualTo(Duration.ofSeconds(90));
        assertThat(options.writesPage()).isTrue();
    }

    @Test
    void ofWhenAnOptionIsUnknownOrHasNoValueRefuses() {
        assertThatIllegalArgumentException().isThrownBy(() -> SoakOptions.of(List.of("--hours", "2")));
        assertThatIllegalArgumentException().isThrownBy(() -> SoakOptions.of(List.of("--minutes")));
        assertThatIllegalArgumentException().isThrownBy(() -> SoakOptions.of(List.of("--minutes", "0")));
    }
}
