// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** Records what this library logs at WARN and above while it is open, with levels, threads, contexts and exceptions. */
public final class LogEvents implements AutoCloseable {

    private final Logger library = (Logger) LoggerFactory.getLogger("io.delayqueue");
    private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            event.prepareForDeferredProcessing();
            events.add(event);
        }
    };

    public LogEvents() {
        appender.setContext(library.getLoggerContext());
        appender.start();
        library.addAppender(appender);
    }

    /** Returns the events of a level in order. */
    public List<ILoggingEvent> of(Level level) {
        return events.stream().filter(event -> event.getLevel() == level).toList();
    }

    @Override
    public void close() {
        library.detachAppender(appender);
    }
}
