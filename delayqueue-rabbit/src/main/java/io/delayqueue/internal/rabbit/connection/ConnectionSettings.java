// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.connection;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.NoOpMetricsCollector;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.CacheMode;

/** Applies the publisher's settings to a connection factory. Keeps stricter values of the application. */
public final class ConnectionSettings {

    private ConnectionSettings() {}

    public static void apply(CachingConnectionFactory factory, RabbitPublisherOptions options, SocketGuard guard) {
        ConnectionFactory driver = factory.getRabbitConnectionFactory();
        driver.setChannelRpcTimeout(shorter(driver.getChannelRpcTimeout(), options.rpcTimeout()));
        driver.setConnectionTimeout(shorter(driver.getConnectionTimeout(), options.connectionTimeout()));
        driver.setHandshakeTimeout(shorter(driver.getHandshakeTimeout(), options.connectionTimeout()));
        int heartbeat = (int) options.heartbeat().toSeconds();
        int configured = driver.getRequestedHeartbeat();
        driver.setRequestedHeartbeat(configured > 0 ? Math.min(configured, heartbeat) : heartbeat);
        driver.setAutomaticRecoveryEnabled(false);
        driver.setMetricsCollector(new NoOpMetricsCollector());
        driver.setSocketConfigurator(guard.keeping(driver.getSocketConfigurator()));
        factory.setCacheMode(CacheMode.CHANNEL);
        factory.setChannelCheckoutTimeout(options.rpcTimeout().toMillis());
        factory.setCloseTimeout((int) options.rpcTimeout().toMillis());
        AtomicInteger count = new AtomicInteger();
        factory.setConnectionNameStrategy(f -> options.connectionName() + "#" + count.getAndIncrement());
    }

    private static int shorter(int configuredMillis, Duration limit) {
        int millis = (int) limit.toMillis();
        return configuredMillis > 0 ? Math.min(configuredMillis, millis) : millis;
    }
}
