// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.RedisTarget;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.sharding.Resharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.TestStores;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** A separate process that redrives all dead tasks of a queue, for a test that kills it in the middle. */
public final class RedriveProcess implements AutoCloseable {

    /** Generous: a JVM that has just begun, on a busy machine, connects and calls for the first time. */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final Path output;

    private RedriveProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    public static RedriveProcess start(int port, String prefix, String queue, int shards, int perSecond)
            throws IOException {
        Path output = Files.createTempFile("redrive", ".log");
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RedriveProcess.class.getName(),
                        Integer.toString(port),
                        prefix,
                        queue,
                        Integer.toString(shards),
                        Integer.toString(perSecond))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new RedriveProcess(process, output);
    }

    /**
     * Waits for what the process is to bring about. If that does not come, or the process fails, the error shows what
     * it wrote, and where its threads are if it still runs.
     */
    public void await(Callable<Boolean> effect) throws Exception {
        try {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> hasFailed() || effect.call());
        } catch (ConditionTimeoutException ex) {
            dumpThreads();
            throw new AssertionError("the redrive had no effect within " + PATIENCE + ": " + story(), ex);
        }
        if (hasFailed()) {
            throw new AssertionError("the redrive failed: " + story());
        }
    }

    /** Waits until all is redriven. */
    public void awaitEnd() throws Exception {
        await(() -> !process.isAlive());
    }

    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private boolean hasFailed() {
        return !process.isAlive() && process.exitValue() != 0;
    }

    private String story() throws IOException {
        String state = process.isAlive() ? "still running" : "exit code " + process.exitValue();
        return state + ", output:\n" + Files.readString(output);
    }

    /** The JVM writes them to its output, and its count of JNI references last. */
    private void dumpThreads() throws Exception {
        new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid()))
                .start()
                .waitFor();
        try {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> !process.isAlive() || Files.readString(output).contains("JNI global refs"));
        } catch (ConditionTimeoutException ex) {
            // then the output is shown without them
            return;
        }
    }

    /** Waits without heeding interrupts: the compiler refuses resources whose end may be interrupted. */
    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        Files.delete(output);
    }

    /** Ends with code 1 on any failure: the driver's threads would keep the process alive. */
    public static void main(String[] args) {
        try {
            redriveAll(args);
        } catch (Throwable ex) {
            ex.printStackTrace();
            System.exit(1);
        }
    }

    private static void redriveAll(String[] args) {
        RedisURI address = RedisURI.create("127.0.0.1", Integer.parseInt(args[0]));
        address.setAuthentication(StoreFixture.USER, StoreFixture.PASSWORD.toCharArray());
        RedisConnections connections = new RedisConnections(() -> RedisTarget.of(address), TIMEOUT, 1000);
        TaskStore store = TestStores.of(connections, new RedisKeys(args[1]), TIMEOUT);
        QueueCatalog queues = queues(args[2], Integer.parseInt(args[3]));
        Shardings shardings = Shardings.fixed(queues);
        Resharding resharding = new Resharding(store, shardings);
        new TaskStoreAdmin(store, queues, shardings, resharding).redriveAll(args[2], Integer.parseInt(args[4]));
        connections.close();
    }

    public static QueueCatalog queues(String queue, int shards) {
        return new QueueCatalog(List.of(QueueSettingsBuilder.of(queue)
                .shards(shards)
                .maxLeaseExpiries(3)
                .build()));
    }
}
