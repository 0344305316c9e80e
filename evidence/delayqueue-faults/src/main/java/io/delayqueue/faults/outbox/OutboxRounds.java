// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.FoundTask;
import io.delayqueue.faults.check.Finding;
import io.delayqueue.faults.check.Rule;
import io.delayqueue.faults.outbox.Journal.Task;
import io.delayqueue.test.server.DatabaseServer;
import io.delayqueue.test.server.DatabaseServerBuilder;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.test.server.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/**
 * Rounds in each of which one of two applications dies at a step of the way from a transaction to Redis, or stands
 * still there for longer than it may hold rows, and another takes its place. When the outbox is empty again, Redis must
 * hold exactly what the committed transactions left, in the order of their commits. One Redis and one database for all
 * rounds; for use by one thread.
 */
public final class OutboxRounds implements AutoCloseable {

    static final String QUEUE = "orders";

    /** Longer than these applications may keep rows. */
    private static final long STILL_MILLIS = 1500;

    /** Where operations go to Redis: no longer than a process may stand still there, which is half a lease. */
    private static final long STILL_AT_SEND_MILLIS = 300;

    private static final int STILL_PERCENT = 10;
    private static final int THREADS = 2;
    private static final long DRAIN_MILLIS = 20_000;
    private static final long PASS_MILLIS = 5_000;
    private static final String FIRST_LEFT = "SELECT row_key FROM delayqueue_outbox ORDER BY available_at LIMIT 1";
    private static final String HOLD = "SELECT version FROM delayqueue_outbox WHERE row_key = ? FOR UPDATE";

    private final RedisServer redis;
    private final DatabaseServer server;
    private final TestDatabase database;
    private final JdbcTemplate jdbc;
    private final ConfigurableApplicationContext looking;
    private final List<String> properties;
    private final List<Finding> findings = new ArrayList<>();
    private final Map<Step, Integer> met = new EnumMap<>(Step.class);
    private final OutboxInstance other;
    private @Nullable OutboxInstance mortal;
    private int deaths;

    /** @param postgres or else MariaDB */
    public OutboxRounds(boolean postgres) {
        DatabaseServerBuilder builder = postgres ? DatabaseServer.postgres() : DatabaseServer.mariaDb();
        this.redis = RedisServer.available().start();
        this.server = builder.own().unflushed().start();
        this.database = server.createDatabase("rounds");
        this.jdbc =
                new JdbcTemplate(new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password()));
        jdbc.execute(postgres ? Journal.POSTGRES_TABLE : Journal.MARIADB_TABLE);
        createOutbox(postgres ? "postgresql" : "mariadb");
        this.properties = List.of(
                "spring.data.redis.url=" + redis.uri(),
                "spring.datasource.url=" + database.jdbcUrl(),
                "spring.datasource.username=" + database.user(),
                "spring.datasource.password=" + database.password());
        this.looking = new SpringApplicationBuilder(Looking.class)
                .profiles("outbox-rounds")
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .registerShutdownHook(false)
                .properties(properties.toArray(String[]::new))
                .run("--delayqueue.jdbc.enabled=false", "--delayqueue.redis.command-timeout=5s");
        this.other = new OutboxInstance(properties);
    }

    private void createOutbox(String platform) {
        String script = "/io/delayqueue/jdbc/schema-" + platform + ".sql";
        try (InputStream in = Objects.requireNonNull(OutboxRounds.class.getResourceAsStream(script), script);
                Connection connection = database.connect()) {
            ScriptUtils.executeSqlScript(connection, new ByteArrayResource(in.readAllBytes()));
        } catch (IOException | SQLException ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** Runs rounds from a seed on; what was found is in {@link #findings}. */
    public void run(int rounds, long seed) throws InterruptedException {
        List<FailurePoint> points = FailurePoint.all();
        for (int round = 0; round < rounds; round++) {
            Random random = new Random(seed * 1_000_003 + round);
            FailurePoint point = points.get(round % points.size());
            boolean still = random.nextInt(100) < STILL_PERCENT;
            round(round, random, point, still);
        }
    }

    private void round(int round, Random random, FailurePoint point, boolean still) throws InterruptedException {
        String what = "round " + round + ", " + (still ? "still " : "dead ") + point;
        OutboxInstance dying = living();
        dying.mortal().arm(point, 1 + random.nextInt(timesOf(point)), still ? stillMillis(point) : 0);
        if (!call(dying, round, random)) {
            throw new IllegalStateException(what + ": a transaction failed as none should");
        }
        boolean drained = awaitDrained(dying, what);
        if (still && drained) {
            // what one that stood still does too late
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
        compare(round, what);
        for (OutboxInstance each : List.of(dying, other)) {
            each.mortal().takeFaults().forEach(fault -> find(Rule.HELD_UP, what + ": " + fault));
        }
    }

    /** Has both applications make transactions, and answers when they are over whether they ended as they should. */
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

    /** How often an application comes there in a round, so that it mostly meets its point; batches make it few times. */
    private static int timesOf(FailurePoint point) {
        return point.step() == Step.WRITE || point.step() == Step.WRITE_COMMIT ? 4 : 2;
    }

    private static long stillMillis(FailurePoint point) {
        return point.step() == Step.SEND ? STILL_AT_SEND_MILLIS : STILL_MILLIS;
    }

    private OutboxInstance living() {
        OutboxInstance instance = mortal;
        if (instance == null || instance.mortal().isDead() || instance.mortal().hasMetItsPoint()) {
            if (instance != null) {
                instance.close();
            }
            instance = new OutboxInstance(properties);
            mortal = instance;
        }
        return instance;
    }

    /** Until nothing is left and nobody stands still; one that died is replaced meanwhile. */
    private boolean awaitDrained(OutboxInstance dying, String what) throws InterruptedException {
        if (dying.mortal().isDead() && mortal == dying) {
            deaths++;
            living();
            passLockedRow(what);
        }
        return until(DRAIN_MILLIS, () -> left() == 0 && !dying.mortal().isStanding());
    }

    /** Holds one row of those that are left: all others have to go on. */
    private void passLockedRow(String what) throws InterruptedException {
        List<byte[]> rows = jdbc.query(FIRST_LEFT, (row, number) -> row.getBytes(1));
        if (rows.isEmpty()) {
            return;
        }
        try (Connection connection = database.connect();
                PreparedStatement statement = connection.prepareStatement(HOLD)) {
            // by its key, and without the gaps beside it
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            statement.setBytes(1, rows.get(0));
            try (ResultSet row = statement.executeQuery()) {
                if (row.next() && !until(PASS_MILLIS, () -> left() <= 1)) {
                    find(Rule.HELD_UP, what + ": rows are not relayed while a transaction holds another one");
                }
            }
            connection.rollback();
        } catch (SQLException ex) {
            throw new IllegalStateException(ex);
        }
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
        Integer rows = jdbc.queryForObject("SELECT COUNT(*) FROM delayqueue_outbox", Integer.class);
        return rows == null ? 0 : rows;
    }

    private void compare(int round, String what) {
        DelayQueueOperations operations = looking.getBean(DelayQueueOperations.class);
        Map<String, @Nullable Task> expected = Journal.expected(jdbc, round);
        for (int number = 0; number < Transactions.IDS; number++) {
            String id = Transactions.id(round, number);
            Optional<FoundTask<String>> found = operations.find(QUEUE, id, String.class);
            Task stored = found.map(one -> new Task(one.payload(), one.dueAt().toEpochMilli()))
                    .orElse(null);
            Task task = expected.get(id);
            if (!Objects.equals(stored, task)) {
                Rule rule =
                        !expected.containsKey(id) ? Rule.UNEXPECTED : stored == null ? Rule.LOST : Rule.COMMIT_ORDER;
                find(rule, what + ": " + id + " is " + stored + ", committed was " + task);
            }
        }
    }

    /** What must not be; empty if every word was kept. */
    public List<Finding> findings() {
        return List.copyOf(findings);
    }

    /** How often an application died, or stood still, at each step. */
    public Map<Step, Integer> met() {
        return Map.copyOf(met);
    }

    /** How many applications died. */
    public int deaths() {
        return deaths;
    }

    /** Kind and version of the database. */
    public String database() {
        return server.description();
    }

    @Override
    public void close() {
        if (mortal != null) {
            mortal.close();
        }
        other.close();
        looking.close();
        server.close();
        redis.close();
    }

    /** Sees Redis past all that dies. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Looking {}
}
