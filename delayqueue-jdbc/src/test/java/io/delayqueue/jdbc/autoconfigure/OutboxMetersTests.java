// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.jdbc.OutboxStatistics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class OutboxMetersTests {

    private final AtomicBoolean haveThreads = new AtomicBoolean();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private Thread thread(Runnable work) {
        if (!haveThreads.get()) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        return new Thread(work);
    }

    private double backlog() {
        return registry.get("delayqueue.outbox.backlog").gauge().value();
    }

    @Test
    void figuresWhenNoThreadCouldBeMadeOnceAreReadTheNextTime() {
        OutboxStatistics three = new OutboxStatistics(3, Duration.ZERO, Duration.ZERO, 0, Instant.now());
        new OutboxMeters(() -> true, () -> three, new Scheduler(Thread::new, this::thread).worker()).bindTo(registry);
        assertThat(backlog()).isNaN();
        haveThreads.set(true);
        await().until(() -> backlog() == 3);
    }
}
