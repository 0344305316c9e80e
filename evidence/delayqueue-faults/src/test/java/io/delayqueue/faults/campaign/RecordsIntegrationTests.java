// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

import static io.delayqueue.faults.campaign.Made.kept;
import static io.delayqueue.faults.campaign.Made.outcome;
import static io.delayqueue.faults.campaign.Made.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.faults.cell.Outcome.Ending;
import io.delayqueue.faults.check.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordsIntegrationTests {

    @TempDir
    private Path folder;

    @Test
    void addWhenTheFileIsReadAgainHasWrittenEachInALine() throws IOException {
        Records records = records();
        RunRecord broken = record("two", 1, outcome(Ending.BROKEN, Rule.LOST, Rule.LATE), "a note");
        records.add(broken);
        records.add(record("one", 2, kept()));
        records.add(record("one", 1, kept()));
        assertThat(records().all())
                .containsExactly(record("one", 1, kept()), record("one", 2, kept()), broken)
                .isEqualTo(records.all());
        assertThat(Files.readAllLines(folder.resolve("records"))).hasSize(3);
    }

    @Test
    void addWhenTheSameWasRunBeforeTakesItsPlace() throws IOException {
        Records records = records();
        records.add(record("one", 1, outcome(Ending.BROKEN, Rule.LATE)));
        records.add(record("one", 1, kept()));
        assertThat(records().all()).containsExactly(record("one", 1, kept()));
    }

    @Test
    void addWhenTheLibraryIsAnotherDropsWhatTheCellHadOfTheOld() throws IOException {
        Records records = records();
        records.add(record("one", 1, kept()));
        records.add(record("one", 2, kept()));
        records.add(record("two", 1, kept()));
        RunRecord of = new RunRecord(
                "one", null, null, null, 1L, 120, "33333333", "33333333", "2026-02-01", kept(), List.of());
        records.add(of);
        assertThat(records().all()).containsExactly(of, record("two", 1, kept()));
    }

    private Records records() throws IOException {
        return new Records(folder.resolve("records"));
    }
}
