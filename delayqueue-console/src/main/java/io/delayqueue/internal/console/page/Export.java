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
import org.jspecify.annotations.Nullable;

/**
 * All tasks that a filter names, for a file. They are read a page at a time while the file is sent, so its size is not bounded by
 * memory. What changes meanwhile may be in it or not.
 */
public final class Export {

    private static final int PAGE = 500;

    private final QueueControl control;
    private final InstantSource clock;

    public Export(QueueControl control, InstantSource clock) {
        this.control = control;
        this.clock = clock;
    }

    /** Reads the first page at once, so that what is refused is refused before anything is sent. */
    public Iterator<String> of(ConsoleRequest request, String queue, ExportFormat format) {
        Inputs inputs = new Inputs(request, Instant.ofEpochMilli(clock.millis()));
        TaskState state = inputs.state();
        TaskFilter filter = inputs.filter();
        Reader reader = after -> control.tasks(request.caller(), queue, state, filter, PAGE, after);
        return new Pieces(reader, reader.read(null), format);
    }

    private interface Reader {
        TaskPage read(@Nullable String after);
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
            page = here.next() == null ? null : reader.read(here.next());
            return piece.toString();
        }
    }
}
