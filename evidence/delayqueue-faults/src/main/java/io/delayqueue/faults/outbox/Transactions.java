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
 * One thread's transactions. Each changes one to three of a few tasks, which those of other threads and applications
 * change at the same time, and schedules one of its own; a quarter is rolled back. Half of the tasks are due within a
 * moment whenever they are scheduled, as are those of one transaction, and the others when nobody of us lives any more.
 * Ends with the application.
 */
final class Transactions implements Runnable {

    private static final int EACH = 6;
    static final int IDS = 4;
    private static final int ROLLED_BACK_PERCENT = 25;
    private static final long DUE_FROM = 4_000_000_000_000L;

    /** So that half are delivered before what died is sent again, and others are due when all is over. */
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
                // dead, or chosen by the database to give way; the journal knows what was committed
                sleep(1);
            }
            sleep(random.nextInt(6));
        }
        ended = true;
    }

    /** Returns whether nothing was thrown that nobody reckons with. */
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
                .map(number -> change(id(round, number), isDueSoon(number), isRescheduled(number)))
                .toList();
    }

    /** Of one of the tasks of a round that several transactions change. */
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
     * Returns whether the task is rescheduled. One that is due soon never is, so that each of its versions is one task,
     * however often it is delivered.
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
