// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.mvc;

import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.console.ConsoleAnswer.Events;
import io.delayqueue.internal.console.ConsoleAnswer.Steps;
import io.delayqueue.internal.console.OpenStreams;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.function.ServerResponse.SseBuilder;

/** Sends the events of one page to one browser until it goes away or its time is up. */
final class EventStream {

    private static final Logger log = LoggerFactory.getLogger(EventStream.class);

    /** Shared by all of them: a step that waits for Redis keeps others waiting, and no request's thread. */
    private static final ScheduledThreadPoolExecutor THREADS = threads();

    private final Events events;
    private final Steps steps;
    private final OpenStreams open;
    private volatile @Nullable Future<?> running;

    EventStream(Events events, Steps steps, OpenStreams open) {
        this.events = events;
        this.steps = steps;
        this.open = open;
    }

    private static ScheduledThreadPoolExecutor threads() {
        ScheduledThreadPoolExecutor threads =
                new ScheduledThreadPoolExecutor(2, NamedThreads.bareDaemons("delayqueue-console-live-"));
        threads.setRemoveOnCancelPolicy(true);
        threads.setKeepAliveTime(30, TimeUnit.SECONDS);
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    ServerResponse response() {
        Duration longest = events.longest();
        return ServerResponse.sse(this::begin, longest.plusSeconds(30));
    }

    private void begin(SseBuilder to) {
        long end = System.nanoTime() + events.longest().toNanos();
        running = THREADS.scheduleWithFixedDelay(
                () -> step(to, end), 0, events.every().toMillis(), TimeUnit.MILLISECONDS);
        Runnable ended = open.add(() -> end(to));
        to.onComplete(() -> {
                    stop();
                    ended.run();
                })
                .onError(ex -> stop())
                .onTimeout(this::stop);
    }

    private void step(SseBuilder to, long end) {
        Map<String, String> changed;
        try {
            changed = steps.next();
        } catch (RuntimeException ex) {
            log.warn("The live parts of a page of the console could not be made; the browser asks again", ex);
            end(to);
            return;
        }
        try {
            if (changed.isEmpty()) {
                // Tells whether the browser is still there.
                to.comment("").send();
            }
            for (Map.Entry<String, String> event : changed.entrySet()) {
                to.event(event.getKey()).data(event.getValue());
            }
            if (System.nanoTime() - end > 0) {
                end(to);
            }
        } catch (IOException | IllegalStateException ex) {
            log.debug("A browser does not listen to the console's events any more", ex);
            stop();
        }
    }

    private void end(SseBuilder to) {
        stop();
        to.complete();
    }

    private void stop() {
        Future<?> stopped = running;
        if (stopped != null) {
            stopped.cancel(false);
        }
    }
}
