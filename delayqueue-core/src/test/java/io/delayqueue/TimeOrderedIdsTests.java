// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimeOrderedIdsTests {

    private static final Comparator<String> BY_BYTES =
            Comparator.comparing(id -> id.getBytes(StandardCharsets.US_ASCII), Arrays::compare);

    private final AtomicLong clock = new AtomicLong(1_795_000_000_000L);
    private final TimeOrderedIds ids = new TimeOrderedIds(clock::get, new SplittableRandom());

    private List<String> some(int count) {
        return IntStream.range(0, count).mapToObj(i -> ids.next()).toList();
    }

    @Test
    void nextHasAtMost22CharactersThatAnIdMayHave() {
        assertThat(ids.next()).matches("[-0-9A-Z_a-z]{22}");
    }

    @Test
    void nextWithinAMillisecondSortsInTheOrderOfTheCalls() {
        assertThat(some(100_000)).isSortedAccordingTo(BY_BYTES).doesNotHaveDuplicates();
    }

    @Test
    void nextWhenTimePassesSortsBehind() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            all.add(ids.next());
            clock.addAndGet(i % 3);
        }
        clock.addAndGet(365L * 24 * 60 * 60 * 1000 * 1000);
        all.add(ids.next());

        assertThat(all).isSortedAccordingTo(BY_BYTES).doesNotHaveDuplicates();
    }

    @Test
    void nextWhenTheClockGoesBackSortsBehind() {
        List<String> all = new ArrayList<>(some(100));
        clock.addAndGet(-60_000);
        all.addAll(some(100));

        assertThat(all).isSortedAccordingTo(BY_BYTES).doesNotHaveDuplicates();
    }

    @Test
    void nextWhenTheCounterOfAMillisecondIsUsedUpGoesOnWithTheNext() {
        int more = 1 << 24;
        String before = ids.next();
        for (int i = 0; i < more; i++) {
            String next = ids.next();
            if (BY_BYTES.compare(before, next) >= 0) {
                assertThat(next).as("behind %s", before).isGreaterThan(before);
            }
            before = next;
        }
    }

    @Test
    void nextByManyThreadsNeverRepeats() throws Exception {
        ConcurrentLinkedQueue<String> all = new ConcurrentLinkedQueue<>();
        List<Thread> threads = IntStream.range(0, 8)
                .mapToObj(i -> new Thread(
                        () -> IntStream.range(0, 10_000).forEach(k -> all.add(TimeOrderedIds.SHARED.next()))))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(new HashSet<>(all)).hasSize(80_000);
    }
}
