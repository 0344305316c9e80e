// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import io.delayqueue.internal.jdbc.outbox.OutboxRow;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.jdbc.outbox.RowKey;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import net.bytebuddy.asm.Advice;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/** The code that the mutants of the outbox call instead of the library's code. */
public final class OutboxMutations {

    /** The sender of the worker that sent last. */
    public static final AtomicReference<Object> SENDER = new AtomicReference<>();

    private OutboxMutations() {}

    /** Reads rows that were just committed, and deletes them before they are sent. */
    public static List<OutboxRow> readAndDelete(OutboxTable table, Collection<RowKey> keys) {
        List<OutboxRow> rows = table.read(keys);
        table.delete(keys);
        return rows;
    }

    /** Queries rows, and waits for rows that other transactions have locked. */
    public static <T> List<T> queryHeldRowsToo(
            JdbcTemplate jdbc, String query, RowMapper<T> mapper, Object[] arguments) {
        return jdbc.query(query.replace(" SKIP LOCKED", ""), mapper, arguments);
    }

    /** Gives each call a separate row, so that the rows of a task are sent in the order of their creation. */
    public static byte[] digestOfItsOwn(MessageDigest digest, byte[] id) {
        digest.update(id);
        byte[] number = ByteBuffer.allocate(Long.BYTES)
                .putLong(ThreadLocalRandom.current().nextLong())
                .array();
        return digest.digest(number);
    }

    /** Sends a row to Redis, if a worker has already sent something. */
    public static void send(Object sender, Object row) {
        try {
            Constructor<?> taken = Class.forName("io.delayqueue.internal.jdbc.relay.TakenRow")
                    .getDeclaredConstructor(OutboxRow.class, int.class, long.class);
            taken.setAccessible(true);
            Method send = sender.getClass().getDeclaredMethod("send", List.class, long.class);
            send.setAccessible(true);
            long end = System.nanoTime() + 1_000_000_000L;
            send.invoke(sender, List.of(taken.newInstance(row, 0, end)), end);
        } catch (ReflectiveOperationException ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** Runs at the beginning of a worker's sending method. */
    static final class RememberSender {

        private RememberSender() {}

        /** The code to copy into the method, so it can use only public code. */
        @Advice.OnMethodEnter
        static void sends(@Advice.FieldValue("sender") Object sender) {
            SENDER.set(sender);
        }
    }

    /** Sends rows at the end of the method that locks them, within its transaction. */
    static final class SendInTransaction {

        private SendInTransaction() {}

        /** The code to copy into the method, so it can use only public code. */
        @Advice.OnMethodExit
        static void taken(@Advice.Return List<OutboxRow> rows) {
            Object sender = SENDER.get();
            if (sender != null) {
                for (OutboxRow row : rows) {
                    send(sender, row);
                }
            }
        }
    }
}
