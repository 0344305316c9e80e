// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.concurrent.DoublingBackOff;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.backoff.BackOffExecution;

/**
 * Pauses while a server fails, longer and longer, and logs the first failure and the end of it. Safe for use by many
 * threads.
 */
final class Brake {

    private static final Logger log = LoggerFactory.getLogger(Brake.class);
    private static final Duration FIRST = Duration.ofMillis(250);

    private final String server;
    private final Duration longest;
    private @Nullable BackOffExecution backOff;
    private long sinceNanos;
    private long untilNanos;

    /** @param server at the beginning of a sentence in the log */
    Brake(String server, Duration longest) {
        this.server = server;
        this.longest = longest;
    }

    synchronized void failed(Throwable error) {
        if (backOff == null) {
            backOff = DoublingBackOff.between(FIRST, longest).start();
            sinceNanos = System.nanoTime();
            log.warn(
                    "{} does not take or give what is in the outbox; it stays there, and is tried again",
                    server,
                    error);
        } else if (remaining().compareTo(Duration.ZERO) > 0) {
            return; // one of several that failed together
        }
        untilNanos = System.nanoTime() + backOff.nextBackOff() * 1_000_000;
    }

    synchronized void succeeded() {
        if (backOff != null) {
            backOff = null;
            log.info(
                    "{} takes and gives what is in the outbox again, after {} s",
                    server,
                    Duration.ofNanos(System.nanoTime() - sinceNanos).toSeconds());
        }
    }

    /** Whether the latest try has failed. */
    synchronized boolean isOn() {
        return backOff != null;
    }

    static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /** How long to wait until the next try. */
    synchronized Duration remaining() {
        return (backOff == null) ? Duration.ZERO : Duration.ofNanos(Math.max(0, untilNanos - System.nanoTime()));
    }
}
