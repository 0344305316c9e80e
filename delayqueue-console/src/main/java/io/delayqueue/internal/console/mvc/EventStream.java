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
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.function.ServerResponse.SseBuilder;

/**
 * Sends the events of one page to one browser until it goes away or its time is up. A step blocks while Redis or the browser
 * keeps it waiting, and then holds up its own stream only: a stream has one step under way at most, so there are no more threads
 * than {@link OpenStreams} lets streams in.
 */
final class EventStream {

    private static final Logger log = LoggerFactory.getLogger(EventStream.class);

    private static final ScheduledThreadPoolExecutor TIMER = timer();
    private static final ThreadPoolExecutor STEPS = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            NamedThreads.bareDaemons("delayqueue-console-"));

    private final Events events;
    private final Steps steps;
    private final OpenStreams open;
    /** Held to write events and to complete the answer, of which only one may happen at a time. */
    private final ReentrantLock writing = new ReentrantLock();

    private final AtomicBoolean completed = new AtomicBoolean();
    private volatile boolean stopped;
    private volatile @Nullable Future<?> next;
    private volatile Runnable leave = () -> {};

    EventStream(Events events, Steps steps, OpenStreams open) {
        this.events = events;
        this.steps = steps;
        this.open = open;
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer =
                new ScheduledThreadPoolExecutor(1, NamedThreads.bareDaemons("delayqueue-console-"));
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(30, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }

    ServerResponse response() {
        Duration longest = events.longest();
        return ServerResponse.sse(this::begin, longest.plusSeconds(30));
    }

    private void begin(SseBuilder to) {
        long end = System.nanoTime() + events.longest().toNanos();
        to.onComplete(this::ended).onError(ex -> ended()).onTimeout(this::ended);
        leave = open.add(() -> end(to));
        STEPS.execute(() -> step(to, end));
    }

    private void step(SseBuilder to, long end) {
        if (stopped) {
            end(to); // before it was let in, maybe
            return;
        }
        Map<String, String> changed;
        try {
            changed = steps.next();
        } catch (RuntimeException ex) {
            log.warn("The live parts of a page of the console could not be made; the browser asks again", ex);
            end(to);
            return;
        }
        writing.lock();
        try {
            write(to, changed);
        } finally {
            writing.unlock();
        }
        if (stopped || System.nanoTime() - end > 0) {
            end(to);
        } else {
            next = TIMER.schedule(
                    () -> STEPS.execute(() -> step(to, end)), events.every().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void write(SseBuilder to, Map<String, String> changed) {
        try {
            for (Map.Entry<String, String> event : changed.entrySet()) {
                if (stopped) {
                    return;
                }
                to.event(event.getKey()).data(event.getValue());
            }
        } catch (IOException | IllegalStateException ex) {
            log.debug("A browser does not listen to the console's events any more", ex);
            stop();
        }
    }

    /** Whoever writes completes it when it has written, for nothing may write to an answer that is complete. */
    private void end(SseBuilder to) {
        stop();
        if (writing.tryLock()) {
            try {
                if (completed.compareAndSet(false, true)) {
                    to.complete();
                }
            } finally {
                writing.unlock();
            }
        }
    }

    /** By the server, which needs nobody to complete the answer any more. */
    private void ended() {
        completed.set(true);
        stop();
    }

    private void stop() {
        stopped = true;
        Future<?> waiting = next;
        if (waiting != null) {
            waiting.cancel(false);
        }
        leave.run();
    }
}
