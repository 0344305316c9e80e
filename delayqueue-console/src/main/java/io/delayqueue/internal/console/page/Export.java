// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.TaskState;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.TaskPage;
import io.delayqueue.internal.control.TooManyScansException;
import io.delayqueue.internal.control.web.Parameters;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Exports all tasks that a filter selects. Reads page by page while the file is sent, so the file may be larger than
 * memory. A task that changes during the export may be missing. Pauses after each page, so that Redis has time for
 * deliveries. If too many searches run, the next page waits.
 */
public final class Export {

    private static final int PAGE = 500;

    private static final long PAUSE_MILLIS = 10;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final QueueControl control;
    private final InstantSource clock;

    public Export(QueueControl control, InstantSource clock) {
        this.control = control;
        this.clock = clock;
    }

    /**
     * Reads the first page at once, so that an error can still be reported before the file begins.
     *
     * @throws TooManyScansException if too many searches run already
     */
    public Iterator<String> of(ConsoleRequest request, String queue, ExportFormat format) {
        Parameters fields = request.fields(Instant.ofEpochMilli(clock.millis()));
        TaskState state = fields.state();
        TaskFilter filter = fields.filter();
        TaskPage first = control.tasks(request.caller(), queue, state, filter, PAGE, null);
        return new Pieces(
                after -> control.tasks(request.caller(), queue, state, filter, PAGE, after, PATIENCE), first, format);
    }

    private interface Reader {
        TaskPage read(String after);
    }

    private static final class Pieces implements Iterator<String> {

        private final Reader reader;
        private final ExportFormat format;
        private @Nullable TaskPage page;
        private boolean isFirst = true;
        private boolean isBehind;

        Pieces(Reader reader, TaskPage first, ExportFormat format) {
            this.reader = reader;
            this.page = first;
            this.format = format;
        }

        @Override
        public boolean hasNext() {
            return !isBehind;
        }

        @Override
        public String next() {
            TaskPage here = page;
            if (isBehind) {
                throw new NoSuchElementException();
            }
            if (here == null) {
                isBehind = true;
                return format.end();
            }
            StringBuilder piece = new StringBuilder(isFirst ? format.begin() : "");
            for (int i = 0; i < here.tasks().size(); i++) {
                piece.append(format.row(here.tasks().get(i)));
            }
            isFirst = false;
            String after = here.next();
            page = after == null ? null : read(after);
            return piece.toString();
        }

        private TaskPage read(String after) {
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
                throw new CancellationException("The application is stopping, so the file is incomplete");
            }
            return reader.read(after);
        }
    }
}
