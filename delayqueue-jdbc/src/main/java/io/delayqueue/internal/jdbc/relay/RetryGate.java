// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.concurrent.DoublingBackOff;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.backoff.BackOffExecution;

/**
 * Holds back calls to a failing server with an increasing back-off, and logs the first failure and the recovery.
 * Thread-safe.
 */
final class RetryGate {

    private static final Logger log = LoggerFactory.getLogger(RetryGate.class);
    private static final Duration FIRST = Duration.ofMillis(250);

    private final String server;
    private final Duration longest;
    private @Nullable BackOffExecution backOff;
    private long sinceNanos;
    private long untilNanos;

    /** @param server name of the server, with which log messages begin */
    RetryGate(String server, Duration longest) {
        this.server = server;
        this.longest = longest;
    }

    synchronized void failed(Throwable error) {
        if (backOff == null) {
            backOff = DoublingBackOff.between(FIRST, longest).start();
            sinceNanos = System.nanoTime();
            log.warn(
                    "{} failed while the relay was sending the outbox; the rows are kept, and the relay retries",
                    server,
                    error);
        } else if (remaining().compareTo(Duration.ZERO) > 0) {
            return; // Several calls failed together.
        }
        untilNanos = System.nanoTime() + backOff.nextBackOff() * 1_000_000;
    }

    synchronized void succeeded() {
        if (backOff != null) {
            backOff = null;
            log.info(
                    "{} is available again after {} s; relaying the outbox",
                    server,
                    Duration.ofNanos(System.nanoTime() - sinceNanos).toSeconds());
        }
    }

    synchronized boolean isFailing() {
        return backOff != null;
    }

    synchronized Duration remaining() {
        return (backOff == null) ? Duration.ZERO : Duration.ofNanos(Math.max(0, untilNanos - System.nanoTime()));
    }
}
