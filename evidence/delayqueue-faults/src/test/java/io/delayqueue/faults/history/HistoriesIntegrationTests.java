// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.faults.history.Event.Answer;
import io.delayqueue.faults.history.Event.Verb;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Written histories can be read, even if a kill has truncated them. */
class HistoriesIntegrationTests {

    private static final Event.Answered ANSWERED = new Event.Answered(7, Answer.OK, "CREATED", 1L, 2L, null);

    @TempDir
    private Path folder;

    @Test
    void readWhenWrittenGivesTheSameEvents() {
        Event invoked = new Event.Invoked(
                7, Verb.SCHEDULE, "queue", "id \u00e4\ud83d\ude00\n", "v1", ConflictPolicy.KEEP, 5L, null, "00ff", 3L);
        try (HistoryWriter history = HistoryWriter.open(folder, "a")) {
            history.write(invoked);
            history.write(ANSWERED);
            assertThat(Histories.read(folder)).extracting(Entry::event).containsExactly(invoked, ANSWERED);
            assertThat(Histories.read(folder)).extracting(Entry::number).containsExactly(1L, 2L);
        }
    }

    @Test
    void readWhenTheLastLineIsCutOffLeavesItOut() throws Exception {
        cut("{\"process\":\"a\",\"num");
        assertThat(Histories.read(folder)).extracting(Entry::event).containsExactly(ANSWERED);
    }

    @Test
    void readWhenAnotherLineIsBrokenRefuses() throws Exception {
        cut("{\"process\":\"a\",\"num\n\n");
        assertThatIllegalStateException().isThrownBy(() -> Histories.read(folder));
    }

    private void cut(String rest) throws Exception {
        try (HistoryWriter history = HistoryWriter.open(folder, "a")) {
            history.write(ANSWERED);
        }
        Files.writeString(folder.resolve("a.history.jsonl"), rest, StandardOpenOption.APPEND);
    }

    /** Answers and causes name no task. */
    @Test
    void readWhenInPortionsGivesEachTaskWithItsAnswersOnce() {
        Event fault = new Event.Fault("cell", "fault", true);
        try (HistoryWriter one = HistoryWriter.open(folder, "a");
                HistoryWriter other = HistoryWriter.open(folder, "b")) {
            for (long call = 0; call < 20; call++) {
                one.write(cancel(call, "task " + call));
                one.write(new Event.Settling(call, "queue", 0, "task " + call, 5, Event.Ending.ACK, false, null));
                // the same numbers of another process, for other tasks
                other.write(cancel(call, "other " + call));
            }
            for (long call = 0; call < 20; call++) {
                one.write(new Event.Answered(call, Answer.OK, "task " + call, null, null, null));
                one.write(new Event.Settled(call, call % 2 == 0));
                other.write(new Event.Answered(call, Answer.OK, "other " + call, null, null, null));
            }
            other.write(fault);
        }
        // a second answer to each call, as of an intake
        Histories.add(
                folder,
                "later",
                Histories.read(folder).stream()
                        .filter(entry -> entry.event() instanceof Event.Answered)
                        .toList());
        List<Entry> whole = Histories.read(folder);
        List<Entry> together = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Portion portion = new Portion(i, 3);
            List<Entry> part = Histories.read(folder, portion);
            assertThat(part).extracting(Entry::event).contains(fault);
            assertThat(part).hasSizeLessThan(whole.size());
            for (Entry entry : part) {
                if (entry.event() instanceof Event.Answered answered) {
                    assertThat(portion.has(String.valueOf(answered.outcome()))).isTrue();
                }
            }
            together.addAll(part);
        }
        assertThat(together).filteredOn(entry -> entry.event().equals(fault)).hasSize(3);
        assertThat(together)
                .filteredOn(entry -> !entry.event().equals(fault))
                .containsExactlyInAnyOrderElementsOf(whole.stream()
                        .filter(entry -> !entry.event().equals(fault))
                        .toList());
        assertThat(Histories.bytes(folder)).isGreaterThan(100L * whole.size());
    }

    private static Event cancel(long call, String id) {
        return new Event.Invoked(call, Verb.CANCEL, "queue", id, null, null, null, null, null, null);
    }

    @Test
    void openWhenTheProcessHasAHistoryRefuses() {
        HistoryWriter.open(folder, "a").close();
        assertThatThrownBy(() -> HistoryWriter.open(folder, "a")).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void writeWhenThreadsAreInterruptedLosesNothing() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (HistoryWriter history = HistoryWriter.open(folder, "a")) {
            List<Future<?>> done = IntStream.range(0, 8)
                    .<Future<?>>mapToObj(thread -> threads.submit(() -> {
                        for (int i = 0; i < 500; i++) {
                            Thread.currentThread().interrupt();
                            history.write(ANSWERED);
                        }
                    }))
                    .toList();
            for (Future<?> each : done) {
                each.get();
            }
        } finally {
            threads.shutdown();
        }
        assertThat(Histories.read(folder))
                .hasSize(4000)
                .extracting(Entry::number)
                .isSorted();
    }
}
