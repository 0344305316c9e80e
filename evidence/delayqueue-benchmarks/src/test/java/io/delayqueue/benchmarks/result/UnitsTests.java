// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnitsTests {

    @Test
    void ofWhatAFloodCostsIsTheSameInEveryWorkload() {
        assertThat(Units.of("W8", "rate, 1 processes, 1 shards")).isEqualTo("tasks/s");
        assertThat(Units.of("W2c", "50,000 due at once, classic queue")).isEqualTo("tasks/s");
        assertThat(Units.of("W8", "CPU of Redis a task, 1 processes, 1 shards")).isEqualTo("us a task");
        assertThat(Units.of("W8", "CPU of all a task, 4 processes, 1 shards")).isEqualTo("us a task");
        assertThat(Units.of("W2c", "50,000 due at once, classic queue with a consumer"))
                .isEqualTo("tasks/s");
        assertThat(Units.of("W2c", "CPU of the broker a task, 50,000 due at once, classic queue"))
                .isEqualTo("us a task");
        assertThat(Units.of("W2c", "compilers' part of it, 50,000 due at once, classic queue"))
                .isEqualTo("us a task");
        assertThat(Units.of("W2c", "processors busy, 50,000 due at once, classic queue"))
                .isEqualTo("processors");
        assertThat(Units.of("W4", "1 queue: CPU")).isEqualTo("ms of CPU/s");
    }

    @Test
    void ofLatenessAtAnotherRateIsThatOfLateness() {
        assertThat(Units.of("W3", "p99, 10 a second")).isEqualTo("ms");
        assertThat(Units.of("W3", "early, 10 a second")).isEqualTo("tasks");
        assertThat(Units.of("W3", "threads, 10 a second")).isEqualTo("threads");
        assertThat(Units.of("W3", "sent a second, 10 a second")).isEqualTo("tasks/s");
    }

    @Test
    void betterIsMoreForWhatIsDoneInASecondAndLessForWhatItTakes() {
        assertThat(Units.better("tasks/s")).isEqualTo("more");
        assertThat(Units.better("transactions/s")).isEqualTo("more");
        assertThat(Units.better("commands/s")).isEqualTo("less");
        assertThat(Units.better("queries/s")).isEqualTo("less");
        assertThat(Units.better("ms of CPU/s")).isEqualTo("less");
        assertThat(Units.better("us a task")).isEqualTo("less");
        assertThat(Units.better("bytes")).isEqualTo("less");
    }

    @Test
    void betterWhenNeitherIsSaysNothing() {
        assertThat(Units.better("processors")).isEmpty();
    }
}
