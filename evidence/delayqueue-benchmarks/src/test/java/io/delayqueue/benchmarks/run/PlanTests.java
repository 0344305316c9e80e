// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.benchmarks.result.Outcome;
import io.delayqueue.benchmarks.result.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlanTests {

    private static final Outcome MEASURED = new Outcome(Map.of("rate", 1.0), 1, 1, List.of(), Map.of(), 0, 0);

    @Test
    void roundIsThereWhenEachSubjectHasARunWithoutProblems() {
        Plan plan = Plan.full("W8");
        List<Run> all = new ArrayList<>();
        plan.subjectsOf(Run.NONE).forEach(subject -> all.add(run(subject, 1, MEASURED)));

        assertThat(plan.isIn(all, Run.NONE, 1)).isTrue();
        assertThat(plan.isIn(all, Run.NONE, 2)).isFalse();
        assertThat(plan.isIn(all, Run.CLUSTER, 1)).isFalse();
        assertThat(plan.isIn(all.subList(0, all.size() - 1), Run.NONE, 1)).isFalse();
        assertThat(plan.isIn(all.subList(1, all.size()), Run.NONE, 1)).isFalse();

        all.set(0, run(all.get(0).subject(), 1, Outcome.failed("exit code 3")));
        assertThat(plan.isIn(all, Run.NONE, 1)).isFalse();
    }

    @Test
    void resultsForTheDocsWhenASubjectCannotBeMeasuredHereAreRefusedUnlessItIsLeftOut() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse("--write-docs", "W6").plans())
                .withMessageContaining("--without bullmq");
        assertThat(Options.parse("--write-docs", "--without", "bullmq", "W6").plans())
                .singleElement()
                .satisfies(plan -> assertThat(plan.subjects())
                        .contains("delayqueue", "redisson")
                        .doesNotContain("bullmq"));
        assertThat(Options.parse("W6").plans())
                .singleElement()
                .satisfies(plan -> assertThat(plan.subjects()).doesNotContain("bullmq"));
    }

    @Test
    void portionIsANumberOfMinutesAndGoesWithFullResultsForTheDocs() {
        assertThat(Options.parse("--write-docs", "--portion", "110m", "W1").portion())
                .isEqualTo(Duration.ofMinutes(110));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse("--write-docs", "--portion", "2h"))
                .withMessageContaining("110m");
        assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--portion", "110m"));
        assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--quick", "--write-docs", "--again"));
    }

    private static Run run(String subject, int round, Outcome outcome) {
        return new Run("W8", subject, Run.NONE, round, "3806a1d1", "480af39f", Instant.EPOCH, 0, 0, outcome);
    }
}
