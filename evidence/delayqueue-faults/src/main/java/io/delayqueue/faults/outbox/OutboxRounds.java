// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import io.delayqueue.faults.check.Finding;
import io.delayqueue.faults.check.Rule;
import io.delayqueue.faults.outbox.Deliveries.Settled;
import io.delayqueue.faults.outbox.Journal.Change;
import io.delayqueue.faults.outbox.Journal.Task;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Makes rounds. In each round, one of two applications dies at a step between a transaction and Redis, and another
 * application replaces it. Alternatively, the application freezes there for longer than it may hold rows, or Redis
 * freezes during a call. When the outbox is empty again, Redis must contain exactly the result of the committed
 * transactions in the order of their commits. For tasks that were due in the meantime, only the deliveries that {@link
 * Deliveries} allows may have happened. All rounds use one Redis and one database. Not thread-safe.
 */
public final class OutboxRounds implements AutoCloseable {

    static final String QUEUE = "orders";

    /** Time of a freeze; longer than these applications may hold rows. */
    private static final long STILL_MILLIS = 1500;

    /** The time of a freeze while operations are sent to Redis. It is within the documented limit of half a lease. */
    private static final long STILL_AT_SEND_MILLIS = 300;

    /**
     * Durations of a freeze of Redis: the first is shorter and the second longer than these applications wait for
     * replies.
     */
    private static final long[] REDIS_STILL_MILLIS = {100, 300};

    /**
     * Half a lease. If Redis freezes for longer, a call that was given up may take effect after later calls, as
     * documented.
     */
    private static final long REDIS_STILL_LIMIT_MILLIS = 500;

    private static final int STILL_PERCENT = 10;
    private static final int REDIS_STILL_PERCENT = 15;
    private static final int THREADS = 2;
    private static final long DRAIN_MILLIS = 20_000;
    private static final long PASS_MILLIS = 10_000;
    private static final long DELIVERY_MILLIS = 20_000;
    private static final long STRAGGLER_MILLIS = 1_500;

    private final RoundServers servers;
    private final JdbcTemplate jdbc;
    private final LookingApplication looking;
    private final Standstill standstill;
    private final List<Finding> findings = new ArrayList<>();
    private final Map<Step, Integer> met = new EnumMap<>(Step.class);
    private final OutboxInstance other;
    private @Nullable OutboxInstance mortal;
    private final List<Settled> settled = new ArrayList<>();
    private int deaths;
    private int standstills;
    private int tooLongStandstills;

    public OutboxRounds(RoundsDatabase kind) {
        this.servers = new RoundServers(kind);
        this.jdbc = servers.jdbc();
        this.looking = new LookingApplication(servers.properties());
        this.standstill = new Standstill(servers.redis());
        this.other = new OutboxInstance(servers.properties());
    }

    /** Runs rounds, starting with a seed. The violations are in {@link #findings}. */
    public void run(int rounds, long seed) throws InterruptedException {
        run(rounds, rounds, seed);
    }

    /**
     * Runs at least this number of rounds, and more until each step was reached, Redis was frozen, and a task was
     * delivered a second time. Call it once.
     *
     * @param most maximum number of rounds
     * @return number of rounds
     */
    public int run(int rounds, int most, long seed) throws InterruptedException {
        List<FailurePoint> points = FailurePoint.all();
        int round = 0;
        for (; round < rounds || round < most && !hasMetAll(); round++) {
            Random random = new Random(seed * 1_000_003 + round);
            FailurePoint point = points.get(round % points.size());
            int kind = random.nextInt(100);
            if (kind < STILL_PERCENT) {
                long millis = point.step() == Step.SEND ? STILL_AT_SEND_MILLIS : STILL_MILLIS;
                round(round, random, new Plan("still", point, Fate.standingStill(millis)));
            } else if (kind < STILL_PERCENT + REDIS_STILL_PERCENT) {
                long millis = REDIS_STILL_MILLIS[random.nextInt(REDIS_STILL_MILLIS.length)];
                FailurePoint sending = new FailurePoint(Step.SEND, false);
                round(round, random, new Plan("Redis still", sending, standstill.lasting(millis)));
            } else {
                round(round, random, new Plan("dead", point, Fate.DEATH));
            }
        }
        awaitDelivered();
        TimeUnit.MILLISECONDS.sleep(STRAGGLER_MILLIS); // Wait for effects that come too late.
        findings.addAll(looking.deliveries().judge(settled));
        settled.clear();
        return round;
    }

    private boolean hasMetAll() {
        return met.size() == Step.values().length && standstills > 0 && repeated() > 0;
    }

    private void awaitDelivered() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DELIVERY_MILLIS);
        for (Settled id : settled) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (!until(Math.max(0, left), () -> looking.find(id.id()) == null)) {
                findings.add(id.finding(Rule.LEFT_OVER, "was due and is still there"));
            }
        }
    }

    private void round(int round, Random random, Plan plan) throws InterruptedException {
        FailurePoint point = plan.point();
        String what = "round " + round + ", " + plan.name() + " " + point;
        OutboxInstance dying = living();
        dying.mortal().arm(point, 1 + random.nextInt(timesOf(point)), plan.fate());
        if (!call(dying, round, random)) {
            throw new IllegalStateException(what + ": a transaction failed for an unexpected reason");
        }
        boolean drained = awaitDrained(dying, what);
        if (plan.fate() != Fate.DEATH && drained) {
            // Wait for late effects of a frozen application.
            TimeUnit.MILLISECONDS.sleep(100);
            drained = awaitDrained(dying, what);
        }
        dying.mortal().disarm();
        if (dying.mortal().hasMetItsPoint()) {
            met.merge(point.step(), 1, Integer::sum);
        }
        if (!drained) {
            find(Rule.LEFT_OVER, what + ": " + left() + " rows are left in the outbox");
            jdbc.update("DELETE FROM delayqueue_outbox");
        }
        long stood = standstill.await();
        standstills += stood > 0 ? 1 : 0;
        boolean ordered = stood <= REDIS_STILL_LIMIT_MILLIS;
        tooLongStandstills += ordered ? 0 : 1;
        compare(round, what, ordered);
        for (OutboxInstance each : List.of(dying, other)) {
            each.mortal().takeFaults().forEach(fault -> find(Rule.HELD_UP, what + ": " + fault));
        }
    }

    /** Makes both applications run transactions. Returns whether all of them ended as expected. */
    private boolean call(OutboxInstance dying, int round, Random random) throws InterruptedException {
        List<Transactions> callers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            callers.add(new Transactions(dying, round, "a" + i, random.nextLong()));
            callers.add(new Transactions(other, round, "b" + i, random.nextLong()));
        }
        List<Thread> threads = callers.stream().map(Thread::new).toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        return callers.stream().allMatch(Transactions::hasEnded);
    }

    /**
     * Returns the number of the latest pass of a failure point that kills the application. The pass is early enough
     * that most rounds reach it. With batches, an application passes a point only a few times.
     */
    private static int timesOf(FailurePoint point) {
        return point.step() == Step.WRITE || point.step() == Step.WRITE_COMMIT ? 4 : 2;
    }

    private OutboxInstance living() {
        OutboxInstance instance = mortal;
        if (instance == null || instance.mortal().isDead() || instance.mortal().hasMetItsPoint()) {
            if (instance != null) {
                instance.close();
            }
            instance = new OutboxInstance(servers.properties());
            mortal = instance;
        }
        return instance;
    }

    /** Waits until the outbox is empty and no application is frozen. Replaces an application that died. */
    private boolean awaitDrained(OutboxInstance dying, String what) throws InterruptedException {
        if (dying.mortal().isDead() && mortal == dying) {
            deaths++;
            // Do this before another application replaces it, which may take longer than the lease of the remaining
            // rows.
            passLockedRow(what);
            living();
        }
        return until(DRAIN_MILLIS, () -> left() == 0 && !dying.mortal().isStanding());
    }

    /** Locks a remaining row: all others must still be sent. */
    private void passLockedRow(String what) throws InterruptedException {
        servers.whileOneIsHeld(() -> {
            if (!until(PASS_MILLIS, () -> left() <= 1)) {
                find(Rule.HELD_UP, what + ": rows are not relayed while a transaction holds another one");
            }
        });
    }

    private static boolean until(long millis, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
        return true;
    }

    private void find(Rule rule, String what) {
        findings.add(new Finding(rule, QUEUE, "", what, List.of()));
    }

    private int left() {
        return servers.left();
    }

    private void compare(int round, String what, boolean ordered) {
        long emptyMillis = System.currentTimeMillis();
        Map<String, List<Change>> committed = Journal.committed(jdbc, round);
        for (int number = 0; number < Transactions.IDS; number++) {
            String id = Transactions.id(round, number);
            List<Change> changes = committed.getOrDefault(id, List.of());
            if (!Transactions.isDueSoon(number)) {
                committed.remove(id);
                compare(id, changes, what, ordered);
            }
        }
        committed.forEach((id, changes) -> settled.add(new Settled(what, id, emptyMillis, changes, ordered)));
    }

    private void compare(String id, List<Change> committed, String what, boolean ordered) {
        Task stored = looking.find(id);
        Task task = Journal.expected(committed);
        if (!Objects.equals(stored, task) && (ordered || committed.isEmpty())) {
            Rule rule = committed.isEmpty() ? Rule.UNEXPECTED : stored == null ? Rule.LOST : Rule.COMMIT_ORDER;
            find(rule, what + ": " + id + " is " + stored + ", committed was " + task);
        }
    }

    /** Returns the violations; empty if every guarantee was kept. */
    public List<Finding> findings() {
        return List.copyOf(findings);
    }

    /** Returns how often an application died or froze at each step. */
    public Map<Step, Integer> met() {
        return Map.copyOf(met);
    }

    /** Returns how many applications died. */
    public int deaths() {
        return deaths;
    }

    /** Returns how often a task was delivered a second time. */
    public int repeated() {
        return looking.deliveries().repeated();
    }

    /** Returns how often Redis was frozen. */
    public int standstills() {
        return standstills;
    }

    /** Returns how often Redis was frozen for so long that the order of calls is not guaranteed, and was not judged. */
    public int tooLongStandstills() {
        return tooLongStandstills;
    }

    /** Returns kind and version of the database. */
    public String database() {
        return servers.databaseDescription();
    }

    @Override
    public void close() {
        if (mortal != null) {
            mortal.close();
        }
        other.close();
        looking.close();
        servers.close();
    }

    /** The fate of an application in a round, and its place. */
    private record Plan(String name, FailurePoint point, Fate fate) {}
}
