// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Event.Answer;
import io.delayqueue.faults.history.Histories;
import io.delayqueue.faults.history.HistoryWriter;
import io.delayqueue.faults.load.LoadApplication;
import io.delayqueue.faults.load.PublishedCalls;
import io.delayqueue.test.server.RabbitServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;

/** The broker's queue of the intake of a run, with the properties of its applications. Records when it is empty. */
final class IntakeQueue implements AutoCloseable {

    /** Longest wait of a message: the longest pause of an intake, plus the time for a new connection. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(15);

    private static final String NAME = "load";
    private static final String QUEUE = NAME + ".intake";
    private static final String REJECTED = QUEUE + ".rejected";
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(3);

    /** Maximum age of a message count, because the broker counts the messages of a quorum queue every five seconds. */
    private static final long COUNT_AGE = TimeUnit.SECONDS.toMicros(12);

    private final RabbitServer rabbit;

    /** The looks that found the queue empty: when each began and ended. */
    private final NavigableMap<Long, Long> seenEmpty = new ConcurrentSkipListMap<>();

    private final Thread looking = new Thread(this::look, "faults-intake");
    private volatile boolean closed;

    IntakeQueue(RabbitServer rabbit) {
        this.rabbit = rabbit;
        looking.setDaemon(true);
        looking.start();
    }

    /** Returns the properties of applications with the intake, without the broker's address. */
    static List<String> properties() {
        String prefix = "delayqueue.rabbit.intake." + NAME + ".";
        return List.of(
                "faults.intake=" + NAME,
                prefix + "exchange-type=direct",
                prefix + "exchange=" + LoadApplication.EXCHANGE,
                prefix + "delay-queue=" + LoadApplication.FORWARDED,
                prefix + "task-headers=true");
    }

    private void look() {
        while (!closed) {
            isEmpty();
            try {
                TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS.toMillis());
            } catch (InterruptedException ex) {
                return;
            }
        }
    }

    /** Returns whether the intake has acknowledged everything. */
    boolean isEmpty() {
        long begun = HistoryWriter.micros();
        boolean empty = Long.valueOf(0).equals(counts().get(QUEUE));
        if (empty) {
            seenEmpty.put(begun, HistoryWriter.micros());
        }
        return empty;
    }

    /** Returns the numbers of messages, including delivered and unacknowledged ones; none if the broker is down. */
    private Map<String, Long> counts() {
        Map<String, Long> counts = new HashMap<>();
        try {
            for (String line : rabbit.ctl("list_queues", "name", "messages").split("\n")) {
                String[] columns = line.strip().split("\t");
                if (columns.length == 2 && columns[1].matches("[0-9]+")) {
                    counts.put(columns[0], Long.valueOf(columns[1]));
                }
            }
        } catch (RuntimeException ex) { // The command fails while the broker is down.
            return Map.of();
        }
        return counts;
    }

    /** Returns a description of the messages that are left. */
    List<String> leftOver() {
        Map<String, Long> counts = counts();
        List<String> left = new ArrayList<>();
        for (String queue : List.of(QUEUE, REJECTED)) {
            Long count = counts.get(queue);
            if (count == null || count > 0) {
                left.add("the broker's queue " + queue + " has " + count + " messages");
            }
        }
        return left;
    }

    /**
     * Records when the calls that the broker has confirmed were executed: at the latest at the end of a look that began
     * after the confirm and found the queue empty. A look takes seconds if it begins while the broker starts. It is
     * unknown whether a cancel found a task.
     */
    void complete(Path histories) {
        List<Entry> answers = new ArrayList<>();
        Histories.each(histories, entry -> {
            if (entry.event() instanceof Event.Answered answer && PublishedCalls.CONFIRMED.equals(answer.outcome())) {
                Map.Entry<Long, Long> empty = seenEmpty.ceilingEntry(entry.micros() + COUNT_AGE);
                answers.add(new Entry(
                        entry.process(),
                        Long.MAX_VALUE,
                        empty != null ? empty.getValue() : HistoryWriter.micros(),
                        entry.wallMillis(),
                        new Event.Answered(answer.call(), Answer.OK, "COMMITTED", null, null, null)));
            }
        });
        Histories.add(histories, "intake", answers);
    }

    @Override
    public void close() {
        closed = true;
        looking.interrupt();
    }
}
