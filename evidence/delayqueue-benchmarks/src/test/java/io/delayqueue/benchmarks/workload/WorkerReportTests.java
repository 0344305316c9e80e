// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WorkerReportTests {

    @Test
    void plusWhenTwoWorkersSharedAFloodSaysThatEachTaskCameOnce() {
        WorkerReport sum = report(10, 11, 14).plus(report(12, 13));

        assertThat(sum.tally().isEachOnce(10, 5)).isTrue();
        assertThat(sum.tally().isEachOnce(11, 5)).isFalse();
        assertThat(sum.empty()).isEqualTo(2);
        assertThat(sum.effort()).isEqualTo(new Effort(2_000, 80));
    }

    @Test
    void isEachOnceWhenOneIsLostAndAnotherCameTwiceIsFalse() {
        assertThat(report(10, 11, 11, 13).tally().isEachOnce(10, 4)).isFalse();
        assertThat(report(10, 11, 13, 12).tally().isEachOnce(10, 4)).isTrue();
    }

    @Test
    void ofItsLineIsTheSame() {
        WorkerReport report = report(1, 2, 3);

        assertThat(WorkerReport.isLine(report.line())).isTrue();
        assertThat(WorkerReport.of(report.line())).isEqualTo(report);
    }

    private static WorkerReport report(long... numbers) {
        long marks = LongStream.of(numbers).map(Tally::mark).sum();
        return new WorkerReport(new Tally(numbers.length, 5, 9, marks, 0), 1, new Effort(1_000, 40));
    }
}
