// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run has written down can be read, wherever it was broken off. */
class SoakRecordIntegrationTests {

    @TempDir
    private Path folder;

    private SoakRecord record = new SoakRecord(Path.of("."));

    @BeforeEach
    void begin() throws Exception {
        record = new SoakRecord(folder.resolve("record"));
        record.begin();
    }

    @Test
    void readWhenWrittenGivesTheSame() {
        RunFacts facts = new RunFacts(1, 2, 3, 4, Map.of("commit", "abc"));
        Sample whole =
                new Sample(5, List.of(new Sample.OfProcess(0, 7, 8L, 9, 10, 11)), new Sample.OfRedis(1, 2, 3, 4), 5L);
        Sample fewer = new Sample(6, List.of(new Sample.OfProcess(0, 7, null, 9, 10, 11)), null, null);
        Judgement judgement = new Judgement(1, 2, 3, 4, 5, 6, 7, 8, 9, List.of("LOST"));
        record.write(facts);
        record.write(whole);
        record.write(fewer);
        record.write(judgement);
        assertThat(record.facts()).isEqualTo(facts);
        assertThat(record.samples()).containsExactly(whole, fewer);
        assertThat(record.judgement()).isEqualTo(judgement);
    }

    @Test
    void faultsWhenTheLastHasNotEndedGivesItWithoutItsEnd() {
        Disturbance first = new Disturbance("one", "first", 10, null);
        Disturbance second = new Disturbance("two", "second", 20, null);
        record.write(first);
        record.write(first.endedAt(15));
        record.write(second);
        assertThat(record.faults()).containsExactly(first.endedAt(15), second);
    }

    @Test
    void samplesWhenTheLastLineIsCutOffLeavesItOut() throws Exception {
        Sample sample = new Sample(6, List.of(), null, null);
        record.write(sample);
        Files.writeString(folder.resolve("record/samples.jsonl"), "{\"micros\":7,\"pro", StandardOpenOption.APPEND);
        assertThat(record.samples()).containsExactly(sample);
    }

    @Test
    void readWhenNothingWasWrittenGivesNothing() {
        assertThat(record.facts()).isNull();
        assertThat(record.judgement()).isNull();
        assertThat(record.samples()).isEmpty();
        assertThat(record.faults()).isEmpty();
    }
}
