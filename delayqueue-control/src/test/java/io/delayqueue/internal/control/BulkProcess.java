// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.control.BulkAction;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.admin.RedriveProcess;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.TaskBounds;
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
import java.util.Map;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** A separate process that cancels a page of the scene's tasks and then hangs, for a test that kills it. */
final class BulkProcess implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final Process process;
    private final Path output;

    private BulkProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static BulkProcess start(int port, String prefix) throws IOException {
        Path output = Files.createTempFile("bulk", ".log");
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BulkProcess.class.getName(),
                        Integer.toString(port),
                        prefix)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new BulkProcess(process, output);
    }

    long pid() {
        return process.pid();
    }

    void await(Callable<Boolean> effect) throws Exception {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> !process.isAlive() || effect.call());
        if (!process.isAlive()) {
            throw new AssertionError("the process has ended:\n" + Files.readString(output));
        }
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Waits without heeding interrupts: the compiler refuses resources whose end may be interrupted. */
    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        Files.delete(output);
    }

    /** Never ends on its own. */
    public static void main(String[] args) throws InterruptedException {
        RedisURI address = RedisURI.create("127.0.0.1", Integer.parseInt(args[0]));
        address.setAuthentication(StoreFixture.USER, StoreFixture.PASSWORD.toCharArray());
        RedisConnections connections = new RedisConnections(() -> RedisTarget.of(address), TIMEOUT, 1000);
        TaskStore store = TestStores.of(connections, new RedisKeys(args[1]), TIMEOUT);
        QueueCatalog queues = RedriveProcess.queues(ControlScene.QUEUE, ControlScene.SHARDS);
        Shardings shardings = Shardings.fixed(queues);
        ControlScene.Gate gate =
                new ControlScene.Gate(new TaskStoreAdmin(store, queues, shardings, new Resharding(store, shardings)));
        gate.allow(1);
        QueueControl control = new QueueControl(
                gate.admin(),
                new DelayQueueTemplate(store, queues, new PayloadCodecs(List.of()), TaskBounds.DEFAULT),
                (caller, queue) -> ControlScene.EVERYTHING,
                null,
                List.of(),
                store,
                List::of,
                Map::of,
                null);
        control.bulk()
                .start(
                        ControlScene.EVE,
                        new BulkRequest(ControlScene.QUEUE, BulkAction.CANCEL, TaskFilter.ALL, null, false));
        Thread.currentThread().join();
    }
}
