// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.ReflectionUtils;

class SteadyThreadTests {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final AtomicBoolean threadsAreOut = new AtomicBoolean();
    private final SteadyThread thread = new SteadyThread("steady-", step -> new Thread(step) {
        @Override
        public synchronized void start() {
            if (threadsAreOut.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            super.start();
        }
    });

    @AfterEach
    void close() {
        thread.close();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {IllegalStateException.class, StackOverflowError.class, NoSuchMethodError.class, Exception.class})
    void everyWhenARunThrowsGoesOn(Class<? extends Throwable> thrown) {
        AtomicInteger runs = new AtomicInteger();
        thread.every(Duration.ofMillis(5), () -> {
            runs.incrementAndGet();
            sneak(thrown);
        });
        await().atMost(PATIENCE).until(() -> runs.get() >= 3);
    }

    @Test
    void executeWhenAStepThrowsRunsThoseBehindIt() {
        AtomicInteger runs = new AtomicInteger();
        thread.execute(() -> sneak(LinkageError.class));
        thread.execute(runs::incrementAndGet);
        thread.after(Duration.ofMillis(1), runs::incrementAndGet);
        await().atMost(PATIENCE).until(() -> runs.get() == 2);
    }

    @Test
    void executeWhenNoThreadCanBeMadeIsRefusedAndNotRunLater() {
        AtomicInteger refused = new AtomicInteger();
        threadsAreOut.set(true);
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> thread.execute(refused::incrementAndGet));
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> thread.after(Duration.ZERO, refused::incrementAndGet));
        threadsAreOut.set(false);
        AtomicInteger taken = new AtomicInteger();
        thread.execute(taken::incrementAndGet);
        await().atMost(PATIENCE).until(() -> taken.get() == 1);
        assertThat(refused).hasValue(0);
    }

    @Test
    void executeWhenClosedIsRefused() {
        thread.close();
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> thread.execute(() -> {}));
        assertThat(thread.isClosed()).isTrue();
    }

    private static void sneak(Class<? extends Throwable> thrown) {
        try {
            SteadyThreadTests.<RuntimeException>rethrow(
                    thrown.getDeclaredConstructor().newInstance());
        } catch (ReflectiveOperationException ex) {
            ReflectionUtils.handleReflectionException(ex);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
