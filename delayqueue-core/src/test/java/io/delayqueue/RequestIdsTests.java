// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class RequestIdsTests {

    private static final int THREADS = 8;
    private static final int EACH = 20_000;

    @Test
    void nextHas16Bytes() {
        RequestIds ids = new RequestIds();

        assertThat(ids.next()).hasSize(16);
        assertThat(ids.next()).hasSize(16);
    }

    @Test
    void nextWhenManyThreadsAskGivesNoneTwice() throws Exception {
        RequestIds ids = new RequestIds();
        CyclicBarrier start = new CyclicBarrier(THREADS);
        Callable<List<ByteBuffer>> asks = () -> {
            List<ByteBuffer> given = new ArrayList<>(EACH);
            start.await();
            for (int i = 0; i < EACH; i++) {
                given.add(ByteBuffer.wrap(ids.next()));
            }
            return given;
        };
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<List<ByteBuffer>>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.add(threads.submit(asks));
            }
            Set<ByteBuffer> given = new HashSet<>();
            for (Future<List<ByteBuffer>> one : all) {
                given.addAll(one.get());
            }
            assertThat(given).hasSize(THREADS * EACH);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void nextOfAnotherInstanceHasNothingInCommon() {
        ByteBuffer one = ByteBuffer.wrap(new RequestIds().next());
        ByteBuffer other = ByteBuffer.wrap(new RequestIds().next());

        // The clock, which is mixed in, tells the lower bits apart whatever was drawn: 2^40 ns are 18 minutes.
        assertThat((other.getLong(0) ^ one.getLong(0)) >>> 40).as("drawn").isNotZero();
        assertThat(Math.abs(other.getLong(8) - one.getLong(8))).as("counts").isGreaterThan(1000);
    }
}
