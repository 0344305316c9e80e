// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import io.delayqueue.Due;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskIds;
import io.delayqueue.faults.history.Event.Answer;
import io.delayqueue.faults.load.Work.Behaviour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls of one thread. Schedules at a fixed rate, cancels a tenth of its tasks, reschedules a tenth and
 * replaces a twentieth, each at a random moment until shortly after the due time. A call with an unknown answer is
 * repeated in half of the cases, with the same request. All calls for one id are made here, one after the other.
 */
final class Caller implements Runnable {

    private static final int AGAIN_AT_MOST = 3;
    /** Tasks of a group. */
    private static final int GROUP = 30;

    private static final Duration BEFORE_AGAIN = Duration.ofMillis(500);

    private final TaskCalls calls;
    private final Supplier<@Nullable Long> clock;
    private final String name;
    private final long betweenNanos;
    private final long longestDelayMillis;
    private final int slowPercent;
    private final int failPercent;
    private final int deadPercent;
    private final boolean grouped;
    private final int keys;
    private final BooleanSupplier ended;
    private final Random random;
    private final PriorityQueue<Later> later = new PriorityQueue<>(Comparator.comparingLong(Later::nanos));
    /** The ids of the group that is being scheduled. */
    private final List<String> inGroup = new ArrayList<>();

    private int scheduled;

    /**
     * Creates a caller without making calls.
     *
     * @param clock returns the server's time, or slightly later, in microseconds since the epoch; null if unknown
     * @param name a name that is unique in the run; its ids begin with it
     * @param ended returns whether to schedule and reschedule no more; remaining tasks are still cancelled as usual
     */
    Caller(TaskCalls calls, Supplier<@Nullable Long> clock, String name, LoadSettings settings, BooleanSupplier ended) {
        this.calls = calls;
        this.clock = clock;
        this.name = name;
        this.betweenNanos = Duration.ofSeconds(settings.threads())
                .dividedBy(settings.perSecond())
                .toNanos();
        this.longestDelayMillis = settings.longestDelay().toMillis();
        this.slowPercent = settings.slowPercent();
        this.failPercent = settings.failPercent();
        this.deadPercent = settings.deadPercent();
        this.grouped = settings.grouped();
        this.keys = settings.keys();
        this.ended = ended;
        this.random = settings.random("caller " + name);
    }

    @Override
    public void run() {
        long next = System.nanoTime() + (long) (random.nextDouble() * betweenNanos);
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Later first = later.peek();
                boolean schedules = !ended.getAsBoolean();
                if (!schedules && first == null) {
                    TimeUnit.MILLISECONDS.sleep(200);
                } else if (first != null && (!schedules || first.nanos() - next <= 0)) {
                    sleepUntil(first.nanos());
                    later.remove().call().run();
                } else {
                    sleepUntil(next);
                    scheduleOne();
                    next = Math.max(next + betweenNanos, System.nanoTime() - betweenNanos);
                }
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    private static void sleepUntil(long nanos) throws InterruptedException {
        long left = nanos - System.nanoTime();
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }

    private void scheduleOne() {
        int number = scheduled++;
        String group = name + "-g" + number / GROUP;
        String key = keys > 0 ? "key-" + random.nextInt(keys) : null;
        String id = TaskIds.of(key, grouped ? group : null, name + "-" + number);
        boolean handled = (grouped ? number / GROUP : number) % 2 == 0;
        long delay = (long) (random.nextDouble() * longestDelayMillis);
        schedule(handled, id, id, delay);
        if (grouped) {
            inGroup.add(id);
            if (inGroup.size() == GROUP) {
                List<String> ids = List.copyOf(inGroup);
                inGroup.clear();
                if (random.nextBoolean()) {
                    after(
                            (long) (random.nextDouble() * longestDelayMillis),
                            () -> calls.cancelGroup(queue(handled), group, ids));
                }
            }
        }
        int fate = random.nextInt(100);
        if (fate < 25) {
            after((long) (random.nextDouble() * delay * 1.1), () -> change(fate, handled, id));
        }
    }

    private void change(int fate, boolean handled, String id) {
        long delay = (long) (random.nextDouble() * longestDelayMillis);
        if (fate < 10) {
            calls.cancel(queue(handled), id);
        } else if (ended.getAsBoolean()) {
            // Schedule nothing that would be due even later.
            return;
        } else if (fate < 20) {
            calls.reschedule(queue(handled), id, Duration.ofMillis(delay));
        } else {
            schedule(handled, id, id + "-again", delay);
        }
    }

    private void schedule(boolean handled, String id, String version, long delayMillis) {
        ScheduleRequest<?> request = ScheduleRequest.to(queue(handled))
                .id(id)
                .payload(new Work(version, handled ? behaviour() : Behaviour.SUCCEED))
                .due(due(delayMillis))
                .build();
        send(request, version, AGAIN_AT_MOST);
    }

    private void send(ScheduleRequest<?> request, String version, int againAtMost) {
        Answer answer = calls.schedule(request, version);
        if (answer == Answer.UNKNOWN && againAtMost > 0 && random.nextBoolean()) {
            after(BEFORE_AGAIN.toMillis(), () -> sendAgain(request, version, againAtMost - 1));
        }
    }

    private void sendAgain(ScheduleRequest<?> request, String version, int againAtMost) {
        if (!ended.getAsBoolean()) {
            send(request, version, againAtMost);
        }
    }

    /** Returns a delay, or with a chance of one in five a moment. */
    private Due due(long delayMillis) {
        Long now = clock.get();
        if (now == null || random.nextInt(5) > 0) {
            return new Due(true, delayMillis);
        }
        return new Due(false, now / 1000 + delayMillis);
    }

    private Behaviour behaviour() {
        int percent = random.nextInt(100);
        if (percent < failPercent + deadPercent) {
            return percent < failPercent ? Behaviour.FAIL_ONCE : Behaviour.FAIL_ALWAYS;
        }
        return percent < failPercent + deadPercent + slowPercent ? Behaviour.SUCCEED_SLOWLY : Behaviour.SUCCEED;
    }

    private static String queue(boolean handled) {
        return handled ? LoadApplication.HANDLED : LoadApplication.FORWARDED;
    }

    private void after(long millis, Runnable call) {
        later.add(new Later(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis), call));
    }

    private record Later(long nanos, Runnable call) {}
}
