// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeepAliveTests {

    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final KeepAlive keepAlive = new KeepAlive(step -> {
        Thread thread = new Thread(step, "keep-alive");
        threads.add(thread);
        return thread;
    });

    @AfterEach
    void end() {
        keepAlive.close();
    }

    @Test
    void holdTakesOneThreadUntilTheLastIsReleased() {
        keepAlive.hold();
        keepAlive.hold();
        keepAlive.release();

        assertThat(threads).singleElement().matches(Thread::isAlive);

        threads.get(0).interrupt();
        keepAlive.hold();
        keepAlive.release();
        assertThat(threads).singleElement().matches(Thread::isAlive);

        keepAlive.release();
        await().until(() -> !threads.get(0).isAlive());
    }

    @Test
    void holdAfterTheLastReleaseTakesAnotherThread() {
        keepAlive.hold();
        keepAlive.release();
        keepAlive.hold();

        assertThat(threads).hasSize(2).last().matches(Thread::isAlive);
    }

    @Test
    void closeEndsTheThreadWhoeverHolds() {
        keepAlive.hold();
        keepAlive.close();

        await().until(() -> !threads.get(0).isAlive());
    }

    @Test
    void holdAfterTheCloseTakesNoThread() {
        keepAlive.close();
        keepAlive.hold();
        keepAlive.release();

        assertThat(threads).isEmpty();
    }
}
