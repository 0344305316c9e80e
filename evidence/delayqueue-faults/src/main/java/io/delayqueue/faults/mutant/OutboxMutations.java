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

/** What the mutants of the outbox call instead of what the library does. */
public final class OutboxMutations {

    /** Of the worker that has sent last. */
    public static final AtomicReference<Object> SENDER = new AtomicReference<>();

    private OutboxMutations() {}

    /** Reads rows that were just committed, and deletes them before they are sent. */
    public static List<OutboxRow> readAndDelete(OutboxTable table, Collection<RowKey> keys) {
        List<OutboxRow> rows = table.read(keys);
        table.delete(keys);
        return rows;
    }

    /** Waits for rows that others hold. */
    public static <T> List<T> queryHeldRowsToo(
            JdbcTemplate jdbc, String query, RowMapper<T> mapper, Object[] arguments) {
        return jdbc.query(query.replace(" SKIP LOCKED", ""), mapper, arguments);
    }

    /** Gives each call a row of its own, so that the rows of a task are sent in the order in which they were made. */
    public static byte[] digestOfItsOwn(MessageDigest digest, byte[] id) {
        digest.update(id);
        byte[] number = ByteBuffer.allocate(Long.BYTES)
                .putLong(ThreadLocalRandom.current().nextLong())
                .array();
        return digest.digest(number);
    }

    /** Sends a row to Redis, once a worker has sent anything before. */
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

    /** At the beginning of the method of a worker that sends. */
    static final class RememberSender {

        private RememberSender() {}

        /** Copied into the method, so that it can use only what is public. */
        @Advice.OnMethodEnter
        static void sends(@Advice.FieldValue("sender") Object sender) {
            SENDER.set(sender);
        }
    }

    /** At the end of the method that holds rows, in its transaction: they are sent. */
    static final class SendInTransaction {

        private SendInTransaction() {}

        /** Copied into the method, so that it can use only what is public. */
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
