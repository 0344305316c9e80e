// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.faults.outbox.Journal.Change;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * One thread's transactions. Each changes one to three of a few tasks, which those of other threads and applications
 * change at the same time; a quarter is rolled back. Ends with the application.
 */
final class Transactions implements Runnable {

    private static final int EACH = 6;
    static final int IDS = 4;
    private static final int ROLLED_BACK_PERCENT = 25;
    private static final long DUE_FROM = 4_000_000_000_000L;

    private final OutboxInstance instance;
    private final int round;
    private final String name;
    private final Random random;
    private int version;
    private volatile boolean ended;

    Transactions(OutboxInstance instance, int round, String name, long seed) {
        this.instance = instance;
        this.round = round;
        this.name = name;
        this.random = new Random(seed);
    }

    @Override
    public void run() {
        for (int i = 0; i < EACH && !instance.mortal().isDead(); i++) {
            List<Change> changes = changes();
            long pause = random.nextInt(4);
            boolean rolledBack = random.nextInt(100) < ROLLED_BACK_PERCENT;
            try {
                instance.transactions().executeWithoutResult(status -> {
                    changes.forEach(this::ask);
                    sleep(pause);
                    changes.forEach(change -> Journal.note(instance.jdbc(), round, change));
                    if (rolledBack) {
                        status.setRollbackOnly();
                    }
                });
            } catch (DataAccessException | TransactionException | IllegalStateException ex) {
                // dead, or chosen by the database to give way; the journal knows what was committed
                sleep(1);
            }
            sleep(random.nextInt(6));
        }
        ended = true;
    }

    /** Whether nothing was thrown that nobody reckons with. */
    boolean hasEnded() {
        return ended;
    }

    /** Of different ids in one order, so that few transactions wait for each other in a circle. */
    private List<Change> changes() {
        List<Integer> ids = new ArrayList<>();
        for (int i = 0; i < IDS; i++) {
            ids.add(i);
        }
        Collections.shuffle(ids, random);
        return ids.subList(0, 1 + random.nextInt(3)).stream()
                .sorted()
                .map(number -> change(id(round, number)))
                .toList();
    }

    /** Of one of the tasks of a round. */
    static String id(int round, int number) {
        return "r" + round + "-" + number;
    }

    private Change change(String id) {
        long due = DUE_FROM + random.nextInt(1_000_000);
        int kind = random.nextInt(10);
        if (kind < 5) {
            return new Change(id, Change.Verb.SCHEDULE, name + "-" + version++, due);
        }
        return kind < 8
                ? new Change(id, Change.Verb.CANCEL, null, null)
                : new Change(id, Change.Verb.RESCHEDULE, null, due);
    }

    private void ask(Change change) {
        long due = change.due() == null ? 0 : change.due();
        switch (change.verb()) {
            case SCHEDULE ->
                instance.outbox()
                        .schedule(ScheduleRequest.to(OutboxRounds.QUEUE)
                                .id(change.id())
                                .payload(String.valueOf(change.version()))
                                .dueAt(Instant.ofEpochMilli(due))
                                .build());
            case CANCEL -> instance.outbox().cancel(OutboxRounds.QUEUE, change.id());
            case RESCHEDULE -> instance.outbox().reschedule(OutboxRounds.QUEUE, change.id(), Instant.ofEpochMilli(due));
        }
    }

    private static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }
}
