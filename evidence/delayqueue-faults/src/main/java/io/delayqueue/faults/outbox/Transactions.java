// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import io.delayqueue.Due;
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
 * The transactions of one thread. Each changes one to three of a few tasks, which other threads and applications change
 * at the same time, and schedules one separate task; a quarter of them roll back. Half of the shared tasks, and the
 * separate ones, are due within a moment; the others are due after the end of all applications. Ends with the
 * application.
 */
final class Transactions implements Runnable {

    private static final int EACH = 6;
    static final int IDS = 4;
    private static final int ROLLED_BACK_PERCENT = 25;
    private static final long DUE_FROM = 4_000_000_000_000L;

    /**
     * Half of the tasks are delivered before another application repeats the operations of a dead one; the others are
     * due after the end of the round.
     */
    private static final int[] LONGEST_DELAYS_MILLIS = {300, 3000};

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
            List<Change> changes = new ArrayList<>(changes());
            changes.add(new Change(ownId(round, name + "-" + i), Change.Verb.SCHEDULE, name + "-" + version++, soon()));
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
                // The application is dead, or the transaction is a deadlock victim; the journal contains what was
                // committed.
                sleep(1);
            }
            sleep(random.nextInt(6));
        }
        ended = true;
    }

    /** Returns whether it ended without an unexpected exception. */
    boolean hasEnded() {
        return ended;
    }

    /** Returns changes of different ids in a fixed order, so that few transactions cause a deadlock. */
    private List<Change> changes() {
        List<Integer> ids = new ArrayList<>();
        for (int i = 0; i < IDS; i++) {
            ids.add(i);
        }
        Collections.shuffle(ids, random);
        return ids.subList(0, 1 + random.nextInt(3)).stream()
                .sorted()
                .map(number -> change(id(round, number), isDueSoon(number), isRescheduled(number)))
                .toList();
    }

    /** Returns the id of one of a round's tasks that several transactions change. */
    static String id(int round, int number) {
        return "r" + round + "-" + number;
    }

    private static String ownId(int round, String transaction) {
        return "r" + round + "-of-" + transaction;
    }

    private long soon() {
        int longest = LONGEST_DELAYS_MILLIS[random.nextInt(LONGEST_DELAYS_MILLIS.length)];
        return System.currentTimeMillis() + random.nextInt(longest);
    }

    /** Returns whether a task is due while its round lasts. */
    static boolean isDueSoon(int number) {
        return number % 2 == 1;
    }

    /**
     * Returns whether the task is rescheduled. A task that is due soon is never rescheduled, so that each of its
     * versions is one task, however often it is delivered.
     */
    private static boolean isRescheduled(int number) {
        return number != 1;
    }

    private Change change(String id, boolean soon, boolean reschedules) {
        long due = soon ? soon() : DUE_FROM + random.nextInt(1_000_000);
        int kind = random.nextInt(10);
        if (kind < 5) {
            return new Change(id, Change.Verb.SCHEDULE, name + "-" + version++, due);
        }
        return kind < 8 || !reschedules
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
            case RESCHEDULE ->
                instance.outbox().reschedule(OutboxRounds.QUEUE, change.id(), Due.at(Instant.ofEpochMilli(due)));
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
