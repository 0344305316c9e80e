// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.QueueLayouts;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.RetryPolicy;
import io.delayqueue.queue.TriggerSettings;
import io.delayqueue.redis.RedisConnections;
import io.delayqueue.redis.RedisKeys;
import io.delayqueue.redis.RedisLayoutStore;
import io.delayqueue.redis.RedisTaskStore;
import io.delayqueue.redis.StoreFixture;
import java.time.Duration;
import java.util.List;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A process of its own that redrives all dead tasks of a queue, for a test that kills it in the middle. */
public final class RedriveProcess {

    private RedriveProcess() {}

    public static Process start(int port, String prefix, String queue, int shards, int perSecond) throws Exception {
        return new ProcessBuilder(
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
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    public static void main(String[] args) {
        RedisStandaloneConfiguration address = new RedisStandaloneConfiguration("127.0.0.1", Integer.parseInt(args[0]));
        address.setUsername(StoreFixture.USER);
        address.setPassword(StoreFixture.PASSWORD);
        LettuceConnectionFactory connections =
                RedisConnections.derive(new LettuceConnectionFactory(address), Duration.ofSeconds(2), 1000);
        connections.afterPropertiesSet();
        connections.start();
        RedisTaskStore store = new RedisTaskStore(connections, new RedisKeys(args[1]), Duration.ofSeconds(2));
        QueueCatalog queues = queues(args[2], Integer.parseInt(args[3]));
        QueueLayouts layouts = QueueLayouts.fixed(queues);
        Resizing resizing = new Resizing(
                store, new RedisLayoutStore(connections, new RedisKeys(args[1]), Duration.ofSeconds(2)), layouts);
        new TaskStoreAdmin(store, queues, layouts, resizing).redriveAll(args[2], Integer.parseInt(args[4]));
        connections.destroy();
    }

    public static QueueCatalog queues(String queue, int shards) {
        return new QueueCatalog(List.of(new QueueSettings(
                queue, shards, "json", Duration.ofSeconds(30), 3, RetryPolicy.DEFAULT, TriggerSettings.DEFAULT)));
    }
}
