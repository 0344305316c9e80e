// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.delayqueue.admin.QueueStats;
import io.delayqueue.faults.cell.Scene;
import io.delayqueue.faults.load.LoadApplication;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Measures Redis and RabbitMQ, unaffected by network faults. */
record ServerGauge(Scene scene) {

    private static final Pattern USED = Pattern.compile("used_memory:(\\d+)");
    private static final int MILLIS = 3000;

    /** Measures Redis; null if it does not answer. */
    Sample.@Nullable OfRedis redis() {
        try {
            Matcher used = USED.matcher(String.valueOf(
                    scene.servers().admin().call("INFO", "memory").get(0)));
            if (!used.find()) {
                return null;
            }
            long keys = ((Number) scene.servers().admin().call("DBSIZE").get(0)).longValue();
            QueueStats handled = scene.admin().stats(LoadApplication.HANDLED);
            QueueStats forwarded = scene.admin().stats(LoadApplication.FORWARDED);
            return new Sample.OfRedis(
                    Long.parseLong(used.group(1)),
                    keys,
                    live(handled) + live(forwarded),
                    handled.dead() + forwarded.dead());
        } catch (RuntimeException ex) {
            return null; // A fault may be the reason.
        }
    }

    private static long live(QueueStats stats) {
        return stats.delayed() + stats.ready() + stats.leased();
    }

    /** Returns how many messages wait in the broker's queue; null if it does not answer. */
    @Nullable
    Long messages() {
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(scene.servers().rabbit().uri());
            factory.setConnectionTimeout(MILLIS);
            factory.setHandshakeTimeout(MILLIS);
            factory.setChannelRpcTimeout(MILLIS);
            try (Connection connection = factory.newConnection("soak");
                    Channel channel = connection.createChannel()) {
                return channel.messageCount(LoadApplication.BROKER_QUEUE);
            }
        } catch (Exception ex) {
            return null; // A fault may be the reason.
        }
    }
}
