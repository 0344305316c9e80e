// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LazyConnectionTests {

    private final AtomicInteger attempts = new AtomicInteger();
    private final List<String> closed = new CopyOnWriteArrayList<>();
    private final CountDownLatch reachable = new CountDownLatch(1);
    private volatile boolean refuses;

    private final LazyConnection<String> connection = new LazyConnection<>(this::open, closed::add);

    private String open() {
        int attempt = attempts.incrementAndGet();
        try {
            reachable.await();
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
        if (refuses) {
            throw new IllegalStateException("refused");
        }
        return "connection-" + attempt;
    }

    @Test
    void getWhileAnAttemptIsUnderWayJoinsIt() {
        CompletableFuture<String> first = connection.get();
        CompletableFuture<String> second = connection.get();
        assertThat(first).isNotDone();
        assertThat(connection.ifOpened()).isNull();

        reachable.countDown();

        assertThat(first.join()).isEqualTo("connection-1");
        assertThat(second.join()).isEqualTo("connection-1");
        assertThat(connection.ifOpened()).isEqualTo("connection-1");
    }

    @Test
    void getWhenAnAttemptHasFailedFailsAtOnceForAMomentAndThenTriesAgain() {
        refuses = true;
        reachable.countDown();
        assertThat(connection.get())
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .withCauseInstanceOf(RedisConnectionException.class);
        assertThat(connection.get()).isCompletedExceptionally();
        assertThat(attempts).hasValue(1);

        refuses = false;
        await().ignoreExceptions().until(() -> connection.get().join().equals("connection-2"));
    }

    @Test
    void replaceWhenTheConnectionIsCurrentClosesItAndOpensAnother() {
        reachable.countDown();
        String first = connection.get().join();

        await().until(() -> {
            connection.replace(first);
            return closed.equals(List.of(first));
        });

        assertThat(connection.get().join()).isEqualTo("connection-2");
    }

    @Test
    void replaceWhenItWasReplacedOrOpenedJustNowDoesNothing() {
        reachable.countDown();
        connection.replace("another");
        String first = connection.get().join();
        connection.replace("another");
        connection.replace(first);

        assertThat(connection.get().join()).isEqualTo(first);
        assertThat(closed).isEmpty();
        assertThat(attempts).hasValue(1);
    }
}
