// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskState;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.TaskViews;
import io.delayqueue.internal.control.TooManyScansException;
import io.delayqueue.internal.control.web.Parameters;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Exports all tasks that a filter selects as comma-separated values. Reads the tasks page by page while the file is
 * sent, so the file can be larger than the memory. A task that changes during the export may be missing. The next page
 * waits while too many searches are running. A process creates up to four files at a time.
 */
public final class Export {

    static final int MOST = 4;

    private static final int PAGE = 500;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final QueueControl control;
    private final Semaphore files = new Semaphore(MOST);
    private volatile boolean isClosed;

    public Export(QueueControl control) {
        this.control = control;
    }

    /** Returns the name of the file, such as "orders-dead-2030-12-24.csv". */
    public String fileName(ConsoleRequest request, String queue) {
        String state = TaskRows.state(request.fields().state()).replace(' ', '-');
        return queue + "-" + state + "-" + request.now().toString().substring(0, 10) + ".csv";
    }

    /**
     * Reads the first page at once, so that an error can be reported before the file begins. Close the result when its
     * last piece is sent.
     *
     * @throws TooManyScansException if too many files or searches are already running
     */
    public Pieces of(ConsoleRequest request, String queue) {
        Parameters fields = request.fields();
        TaskState state = fields.state();
        TaskFilter filter = fields.filter();
        if (!files.tryAcquire()) {
            throw new TooManyScansException("This process creates up to " + MOST
                    + " files at a time. Wait until another download ends, then start yours again");
        }
        TaskViews first = null;
        try {
            first = control.tasks(request.caller(), queue, state, filter, PAGE, null);
        } finally {
            if (first == null) {
                files.release();
            }
        }
        return new Pieces(
                after -> {
                    if (isClosed) {
                        throw new DelayQueueException(
                                "The application is stopping, so the download breaks off. Start it again later");
                    }
                    return control.tasks(request.caller(), queue, state, filter, false, PAGE, after, PATIENCE);
                },
                first,
                files);
    }

    /** Breaks off all files before their next page. */
    public void close() {
        isClosed = true;
    }

    /** The parts of a file. Not thread-safe. */
    public static final class Pieces implements Iterator<String>, AutoCloseable {

        private final Function<String, TaskViews> reader;
        private final Semaphore files;
        private @Nullable TaskViews page;
        private boolean isFirst = true;
        private boolean isClosed;

        private Pieces(Function<String, TaskViews> reader, TaskViews first, Semaphore files) {
            this.files = files;
            this.reader = reader;
            this.page = first;
        }

        @Override
        public boolean hasNext() {
            return page != null;
        }

        @Override
        public String next() {
            TaskViews here = page;
            if (here == null) {
                throw new NoSuchElementException();
            }
            StringBuilder piece = new StringBuilder(isFirst ? CsvRow.NAMES : "");
            here.tasks().forEach(task -> piece.append(CsvRow.of(task)));
            isFirst = false;
            String after = here.next();
            page = after == null ? null : reader.apply(after);
            return piece.toString();
        }

        /** Ends this file, so that another one can start. Idempotent. */
        @Override
        public void close() {
            page = null;
            if (!isClosed) {
                isClosed = true;
                files.release();
            }
        }
    }
}
