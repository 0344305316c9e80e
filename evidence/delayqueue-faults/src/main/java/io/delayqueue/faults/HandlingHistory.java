// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Every handling of a process, a line each at its beginning and its end, written at once so that a kill loses none. */
public final class HandlingHistory {

    private final FileChannel file;

    HandlingHistory(Path path) {
        try {
            this.file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    void begun(String id, long token, int attempt) {
        write("begun", id, token, String.valueOf(attempt), false);
    }

    void ended(String id, long token, String end, boolean lost) {
        write("ended", id, token, end, lost);
    }

    private void write(String what, String id, long token, String detail, boolean lost) {
        String line = what + " " + System.currentTimeMillis() + " "
                + ProcessHandle.current().pid() + " " + id + " " + token + " " + detail + " " + lost + "\n";
        try {
            synchronized (this) {
                file.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Reads what a process wrote; the last line may be cut off by a kill. */
    public static List<Line> read(Path path) {
        if (!Files.exists(path)) {
            return List.of();
        }
        try {
            List<Line> lines = new ArrayList<>();
            for (String line : Files.readAllLines(path)) {
                String[] parts = line.split(" ");
                if (parts.length == 7) {
                    lines.add(new Line(
                            parts[0].equals("begun"),
                            Long.parseLong(parts[1]),
                            Long.parseLong(parts[2]),
                            parts[3],
                            Long.parseLong(parts[4]),
                            parts[5],
                            Boolean.parseBoolean(parts[6])));
                }
            }
            return lines;
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * One line.
     *
     * @param begun whether a handling began, or ended
     * @param millis when
     * @param pid in which process
     * @param id of the task
     * @param token of the lease
     * @param detail the attempt, or how it ended
     * @param lost whether the lease was lost at the end
     */
    public record Line(boolean begun, long millis, long pid, String id, long token, String detail, boolean lost) {}
}
