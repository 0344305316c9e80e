// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Subscribes to a channel. */
final class RedisEar implements ContractStore.Ear {

    private final TestRedis redis;
    private final String channel;
    private final StatefulRedisPubSubConnection<String, String> subscriber;
    private final List<String> heard = new CopyOnWriteArrayList<>();

    RedisEar(TestRedis redis, String channel) {
        this.redis = redis;
        this.channel = channel;
        this.subscriber = redis.subscriber();
        subscriber.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String from, String message) {
                heard.add(message);
            }
        });
        subscriber.sync().subscribe(channel);
    }

    /** Messages of one publisher keep their order, so a marker shows that all earlier ones have arrived. */
    @Override
    public List<String> heard() {
        redis.node().publish(channel, "marker");
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2)).until(() -> heard.contains("marker"));
        List<String> before = new ArrayList<>(heard.subList(0, heard.indexOf("marker")));
        heard.clear();
        return before;
    }

    @Override
    public void close() {
        subscriber.close();
    }
}
