// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/** One direction of a {@link Link}: the bytes that were read and may not be written yet, in order. */
final class Flow {

    private static final int MOST_HELD_BYTES = 1 << 20;
    private static final int READ_BYTES = 1 << 16;

    private final SocketChannel from;
    private final SocketChannel to;
    private final boolean replies;
    private final Deque<Piece> held = new ArrayDeque<>();
    private int heldBytes;
    private long lastDueNanos = System.nanoTime();
    private boolean atEnd;
    private boolean ended;
    private boolean swallowed;

    /** @param replies whether this is the direction of the server's replies */
    Flow(SocketChannel from, SocketChannel to, boolean replies) {
        this.from = from;
        this.to = to;
        this.replies = replies;
    }

    boolean wantsToRead(NetworkFault fault) {
        return fault.moves() && !atEnd && heldBytes < MOST_HELD_BYTES;
    }

    boolean wantsToWrite(NetworkFault fault, long now) {
        return fault.moves() && !held.isEmpty() && held.peek().dueNanos - now <= 0;
    }

    /** Returns the time until something may be written; the maximum value if nothing is held back. */
    long nanosUntilDue(long now) {
        return held.isEmpty() ? Long.MAX_VALUE : Math.max(0, held.peek().dueNanos - now);
    }

    boolean hasEnded() {
        return ended;
    }

    /** Returns whether bytes are missing from the stream. */
    boolean hasHole() {
        return swallowed;
    }

    void read(ByteBuffer buffer, NetworkFault fault) throws IOException {
        buffer.clear().limit(READ_BYTES);
        int count = from.read(buffer);
        if (count < 0) {
            atEnd = true;
        } else if (replies && fault == NetworkFault.DROP_REPLIES) {
            swallowed |= count > 0;
        } else if (count > 0) {
            hold(buffer.flip(), fault);
        }
    }

    private void hold(ByteBuffer read, NetworkFault fault) {
        // Bytes are never due before earlier bytes.
        long due = Math.max(lastDueNanos, System.nanoTime() + fault.delayNanos());
        lastDueNanos = due;
        heldBytes += read.remaining();
        held.add(new Piece(ByteBuffer.allocate(read.remaining()).put(read).flip(), due));
    }

    /** Writes the bytes that are due, as far as the receiver accepts them. */
    void write(NetworkFault fault, long now) throws IOException {
        for (int writes = 0; writes < fault.writesPerTurn() && wantsToWrite(fault, now); writes++) {
            ByteBuffer bytes = held.element().bytes;
            int end = bytes.limit();
            int most = Math.min(bytes.remaining(), fault.bytesPerWrite());
            int written = to.write(bytes.limit(bytes.position() + most));
            bytes.limit(end);
            heldBytes -= written;
            if (!bytes.hasRemaining()) {
                held.remove();
            }
            if (written == 0) {
                return;
            }
        }
        if (atEnd && held.isEmpty() && !ended) {
            ended = true;
            to.shutdownOutput();
        }
    }

    private record Piece(ByteBuffer bytes, long dueNanos) {}
}
