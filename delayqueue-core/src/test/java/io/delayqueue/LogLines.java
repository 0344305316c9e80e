// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import io.delayqueue.internal.input.UnicodeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** Records log lines while it is open: of this library at every level, of everything else as configured. */
public final class LogLines implements AutoCloseable {

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Logger library = (Logger) LoggerFactory.getLogger("io.delayqueue");
    private final Level before = library.getLevel();
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getFormattedMessage());
            lines.addAll(event.getMDCPropertyMap().values());
            addMessages(event.getThrowableProxy());
        }
    };

    public LogLines() {
        appender.setContext(root.getLoggerContext());
        appender.start();
        root.addAppender(appender);
        library.setLevel(Level.TRACE);
    }

    private void addMessages(IThrowableProxy thrown) {
        if (thrown != null) {
            lines.add(String.valueOf(thrown.getMessage()));
            addMessages(thrown.getCause());
            for (IThrowableProxy suppressed : thrown.getSuppressed()) {
                addMessages(suppressed);
            }
        }
    }

    /** The messages of all lines, of all exceptions in them, and what stood in the logging context. */
    public List<String> all() {
        return new ArrayList<>(lines);
    }

    /** Asserts that only the library has determined the form of the lines, and that none contains payloads. */
    public void assertUnforged() {
        for (String line : all()) {
            assertPrintable(line);
        }
    }

    /**
     * Asserts that a text is safe for a log or a terminal: one short line without control characters, overrides or
     * payloads.
     */
    public static void assertPrintable(String text) {
        assertThat(text)
                .matches(UnicodeText::isLine, "is one line")
                .doesNotContain(BadInput.MARK)
                .hasSizeLessThan(5000);
    }

    @Override
    public void close() {
        root.detachAppender(appender);
        library.setLevel(before);
    }
}
