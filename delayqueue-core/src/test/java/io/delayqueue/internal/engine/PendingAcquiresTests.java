// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.PendingAcquires.Pending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PendingAcquiresTests {

    private static final int MOST_ACQUIRES = 1000;
    private static final long LATER = TimeUnit.HOURS.toNanos(1);

    private final EngineThreads threads = new EngineThreads(new Scheduler());
    private final Capacity capacity = new Capacity(2, 5, 0, () -> {});
    private final ServerWatch server = new ServerWatch(0);
    private final ScannedShard watch = new ScannedShard(0, Duration.ofSeconds(1), 0, 0);
    private boolean throwing;
    private final PendingAcquires pending = new PendingAcquires(capacity, threads, this::onAnswer);

    @AfterEach
    void close() {
        threads.close();
    }

    private void onAnswer() {
        if (throwing) {
            throw new InternalError("injected");
        }
    }

    private Pending entered() {
        Pending scan = pending.prepare(watch, 3);
        assertThat(scan.enter()).isTrue();
        return scan;
    }

    private void assertNothingIsTaken() {
        assertThat(pending.isEmpty()).isTrue();
        assertThat(pending.anyAwaited()).isFalse();
        assertThat(pending.anyTakesSuspect()).isFalse();
        assertThat(capacity.free()).isEqualTo(10);
        assertThat(server.isSilent(LATER)).as("no call waits for an answer").isFalse();
        for (int i = 0; i < MOST_ACQUIRES; i++) {
            assertThat(threads.mayAcquire()).isTrue();
        }
    }

    @Test
    void answeredWhenItHadOnlyEnteredLeaves() {
        entered().answered(null, new InternalError("injected"));

        assertNothingIsTaken();
    }

    @Test
    void answeredWhenItHadOnlyAskedEndsTheCall() {
        Pending scan = entered();
        assertThat(scan.ask(server, 1, () -> {})).isTrue();

        scan.answered(null, new InternalError("injected"));

        assertNothingIsTaken();
    }

    @Test
    void answeredWhenNobodyCanBeToldIsTakenUpByTheNextPassAndOnlyOnce() {
        Pending scan = entered();
        assertThat(scan.ask(server, 1, () -> {})).isTrue();
        scan.begin(1, true);
        assertThat(capacity.free()).isEqualTo(7);
        assertThat(pending.anyTakesSuspect()).isTrue();

        throwing = true;
        InternalError error = new InternalError("failed");
        assertThatExceptionOfType(InternalError.class).isThrownBy(() -> scan.answered(null, error));
        scan.answered(null, null);

        List<Pending> takenUp = new ArrayList<>();
        pending.endAnswered(takenUp::add);
        pending.endAnswered(takenUp::add);
        assertThat(takenUp).containsExactly(scan);
        assertThat(scan.error()).isSameAs(error);
        assertNothingIsTaken();
    }

    @Test
    void endAnsweredWhenTakingUpThrowsHasEndedIt() {
        Pending scan = entered();
        assertThat(scan.ask(server, 1, () -> {})).isTrue();
        scan.begin(1, true);
        scan.answered(null, null);

        assertThatExceptionOfType(InternalError.class)
                .isThrownBy(() -> pending.endAnswered(taken -> {
                    throw new InternalError("injected");
                }));

        assertNothingIsTaken();
    }

    @Test
    void hasPassedOverSuspectsWhenAnotherBeganMeanwhileIsSaidOnceOfTheOneThatMightBringThem() {
        Pending taking = entered();
        assertThat(taking.ask(server, 1, () -> {})).isTrue();
        taking.begin(1, true);
        Pending other = entered();
        assertThat(other.ask(server, 1, () -> {})).isTrue();
        other.begin(1, true);
        assertThat(taking.takesSuspect()).isTrue();
        assertThat(other.takesSuspect()).isFalse();

        assertThat(pending.hasPassedOverSuspects(other)).isFalse();
        assertThat(pending.hasPassedOverSuspects(taking)).isTrue();
        assertThat(pending.hasPassedOverSuspects(taking)).isFalse();
    }
}
