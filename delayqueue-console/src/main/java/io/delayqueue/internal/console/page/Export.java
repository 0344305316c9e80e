// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.TaskState;
import io.delayqueue.control.QueueControl;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.control.TaskPage;
import io.delayqueue.internal.console.request.ConsoleRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * All tasks that a filter names, for a file. They are read a page at a time while the file is sent, so its size is not bounded by
 * memory. What changes meanwhile may be in it or not. Four are made at once at most, each with a pause behind each page, so that
 * they leave Redis to the deliveries.
 */
public final class Export {

    private static final int PAGE = 500;

    private static final long PAUSE_MILLIS = 10;

    private final QueueControl control;
    private final InstantSource clock;
    private final ExportPlaces places = new ExportPlaces(System::nanoTime);

    public Export(QueueControl control, InstantSource clock) {
        this.control = control;
        this.clock = clock;
    }

    /** A file that is made piece by piece. It keeps others waiting until it is closed, which may be done more than once. */
    public interface File extends Iterator<String>, AutoCloseable {

        @Override
        void close();
    }

    /**
     * Reads the first page at once, so that what is refused is refused before anything is sent.
     *
     * @throws TooManyExportsException where as many are made already as may be
     */
    public File of(ConsoleRequest request, String queue, ExportFormat format) {
        Inputs inputs = new Inputs(request, Instant.ofEpochMilli(clock.millis()));
        TaskState state = inputs.state();
        TaskFilter filter = inputs.filter();
        Reader reader = after -> control.tasks(request.caller(), queue, state, filter, PAGE, after);
        ExportPlaces.Place place = places.take();
        try {
            return new Pieces(reader, reader.read(null), format, place);
        } catch (RuntimeException ex) {
            place.leave();
            throw ex;
        }
    }

    private interface Reader {
        TaskPage read(@Nullable String after);
    }

    private static final class Pieces implements File {

        private final Reader reader;
        private final ExportFormat format;
        private final ExportPlaces.Place place;
        private @Nullable TaskPage page;
        private boolean isFirst = true;
        private boolean isBehind;

        Pieces(Reader reader, TaskPage first, ExportFormat format, ExportPlaces.Place place) {
            this.reader = reader;
            this.page = first;
            this.format = format;
            this.place = place;
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
            place.use();
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
                throw new CancellationException("The application stops, so the file is not finished");
            }
            return reader.read(after);
        }

        @Override
        public void close() {
            place.leave();
        }
    }
}
