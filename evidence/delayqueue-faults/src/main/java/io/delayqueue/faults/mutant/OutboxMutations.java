// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import io.delayqueue.internal.jdbc.outbox.OutboxRow;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.jdbc.outbox.RowKey;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import net.bytebuddy.asm.Advice;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/** What the mutants of the outbox call instead of what the library does. */
public final class OutboxMutations {

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

    /** At the end of the method that takes rows, in its transaction: they are sent. */
    static final class SendInTransaction {

        private SendInTransaction() {}

        /** Copied into the method, so that it can use only what is public. */
        @Advice.OnMethodExit
        static void taken(@Advice.FieldValue("sender") Object sender, @Advice.Return List<OutboxRow> rows)
                throws ReflectiveOperationException {
            if (!rows.isEmpty()) {
                Method send = sender.getClass().getDeclaredMethod("send", List.class, long.class);
                send.setAccessible(true);
                send.invoke(sender, rows, System.nanoTime() + 1_000_000_000L);
            }
        }
    }
}
