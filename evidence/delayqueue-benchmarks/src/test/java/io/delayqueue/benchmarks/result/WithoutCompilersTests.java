// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WithoutCompilersTests {

    private final Map<String, Double> metrics = new LinkedHashMap<>();

    @Test
    void addedWhenTheCompilersPartIsKnownTakesItOff() {
        cost(", 1 processes", 10, 4, 17);
        cost(", 4 processes", 20, 13, 30);

        assertThat(WithoutCompilers.added(metrics))
                .containsAllEntriesOf(metrics)
                .containsEntry("CPU of all but the compilers a task, 1 processes", 13.0)
                .containsEntry("CPU of all but the compilers a task, 4 processes", 17.0)
                .hasSize(8);
    }

    @Test
    void addedWhenTheCompilersWorkedLongerThanTheJvmsLeavesItOut() {
        cost("", 10, 10, 17);

        assertThat(WithoutCompilers.added(metrics)).isEqualTo(metrics);
    }

    @Test
    void addedWhenServersAreNotKnownLeavesItOut() {
        metrics.put("CPU of the JVMs a task", 10.0);
        metrics.put("compilers' part of it", 4.0);

        assertThat(WithoutCompilers.added(metrics)).isEqualTo(metrics);
    }

    private void cost(String name, double jvms, double compilers, double all) {
        metrics.put("CPU of the JVMs a task" + name, jvms);
        metrics.put("compilers' part of it" + name, compilers);
        metrics.put("CPU of all a task" + name, all);
    }
}
