// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.benchmarks.result.Run;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanTests {

    @ParameterizedTest
    @ValueSource(strings = {"W1", "W2a", "W3", "W4", "W5", "W6"})
    void fullHasBullmqAndQuickHasItWhereItIsAskedFor(String workload) {
        assertThat(Plan.full(workload).subjects()).contains("bullmq");
        assertThat(Plan.quick(workload).subjects()).doesNotContain("bullmq");
        assertThat(Plan.quick(workload).askedFor(Set.of("bullmq", "loop-100ms")).subjects())
                .containsExactly("bullmq");
    }

    @ParameterizedTest
    @ValueSource(strings = {"W1", "W2a", "W3"})
    void fullHasDbSchedulerOnceWhateverRedisDoes(String workload) {
        Plan plan = Plan.full(workload);

        assertThat(plan.subjectsOf(Run.NONE)).contains("db-scheduler");
        assertThat(plan.subjectsOf(Run.EVERYSEC)).doesNotContain("db-scheduler").contains("delayqueue", "bullmq");
    }

    @Test
    void fullObservesThisLibraryWhereItIsIdleAndElsewhereWhereThatIsAskedFor() {
        assertThat(Plan.full("W4").subjects()).contains("delayqueue-observed").doesNotContain("delayqueue-traced");
        assertThat(Plan.full("W1").subjects()).doesNotContain("delayqueue-observed");
        assertThat(Plan.full("W1")
                        .askedFor(Set.of("delayqueue-observed", "delayqueue-plain"))
                        .subjects())
                .containsExactly("delayqueue-plain", "delayqueue-observed");
    }

    @Test
    void floodsOfApplicationsThatObserveAreMadeByTurns() {
        assertThat(Plan.full("W16").together()).isTrue();
        assertThat(Plan.full("W16").subjects())
                .containsExactly(
                        "delayqueue-plain",
                        "delayqueue-metrics",
                        "delayqueue-traced",
                        "delayqueue-history",
                        "delayqueue-observed");
    }

    @Test
    void subjectsOfAClusterAreThisLibraryAlone() {
        assertThat(Plan.full("W8").subjectsOf(Run.CLUSTER)).containsExactly("delayqueue");
    }
}
