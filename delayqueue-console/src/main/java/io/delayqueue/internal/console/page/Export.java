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
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Exports all tasks that a filter selects. Reads page by page while the file is sent, so the file may be larger than
 * memory. A task that changes during the export may be missing. Pauses after each page, so that Redis has time for
 * deliveries. If too many searches run, the next page waits. A process creates up to four files at a time.
 */
public final class Export {

    /** Maximum number of files at a time. */
    static final int MOST = 4;

    private static final int PAGE = 500;

    private static final long PAUSE_MILLIS = 10;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final QueueControl control;
    private final InstantSource clock;
    private final Semaphore files = new Semaphore(MOST);

    public Export(QueueControl control, InstantSource clock) {
        this.control = control;
        this.clock = clock;
    }

    /**
     * Reads the first page at once, so that an error can still be reported before the file begins. Close the file
     * unless it is read to its end.
     *
     * @throws TooManyScansException if too many files are created or too many searches run already
     */
    public Pieces of(ConsoleRequest request, String queue, ExportFormat format) {
        Parameters fields = request.fields(Instant.ofEpochMilli(clock.millis()));
        TaskState state = fields.state();
        TaskFilter filter = fields.filter();
        if (!files.tryAcquire()) {
            throw new TooManyScansException("This process creates up to " + MOST
                    + " files at a time. Wait until a download ends, then start yours again");
        }
        TaskPage first = null;
        try {
            first = control.tasks(request.caller(), queue, state, filter, PAGE, null);
        } finally {
            if (first == null) {
                files.release();
            }
        }
        return new Pieces(
                after -> control.tasks(request.caller(), queue, state, filter, PAGE, after, PATIENCE),
                first,
                format,
                files);
    }

    private interface Reader {
        TaskPage read(String after);
    }

    /** The parts of a file. Not thread-safe. */
    public static final class Pieces implements Iterator<String>, AutoCloseable {

        private final Reader reader;
        private final ExportFormat format;
        private final Semaphore files;
        private @Nullable TaskPage page;
        private boolean isFirst = true;
        private boolean isBehind;

        private Pieces(Reader reader, TaskPage first, ExportFormat format, Semaphore files) {
            this.files = files;
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
                close();
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

        /** Lets another file begin. Idempotent. */
        @Override
        public void close() {
            if (!isBehind) {
                isBehind = true;
                files.release();
            }
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
