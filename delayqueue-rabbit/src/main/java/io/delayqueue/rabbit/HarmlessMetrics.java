// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MetricsCollector;
import io.delayqueue.internal.concurrent.Guard;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a collector that the application gave the driver count what it does, whatever it throws. The driver calls it when
 * a message is written, and on its reading thread; what it let through there would look like the driver's own.
 */
final class HarmlessMetrics implements MetricsCollector {

    private static final Logger log = LoggerFactory.getLogger(HarmlessMetrics.class);

    private final MetricsCollector metrics;
    private final Set<Class<?>> told = ConcurrentHashMap.newKeySet();

    HarmlessMetrics(MetricsCollector metrics) {
        this.metrics = metrics;
    }

    private void count(Runnable step) {
        try {
            step.run();
        } catch (Throwable ex) {
            Guard.tell(() -> tell(ex));
        }
    }

    /** Once of each class. */
    private void tell(Throwable thrown) {
        if (told.add(thrown.getClass())) {
            log.warn(
                    "The MetricsCollector {} of RabbitMQ's driver threw {}; what it counts is wrong, and nothing else",
                    metrics.getClass().getName(),
                    thrown.getClass().getName());
        }
    }

    @Override
    public void newConnection(Connection connection) {
        count(() -> metrics.newConnection(connection));
    }

    @Override
    public void closeConnection(Connection connection) {
        count(() -> metrics.closeConnection(connection));
    }

    @Override
    public void newChannel(Channel channel) {
        count(() -> metrics.newChannel(channel));
    }

    @Override
    public void closeChannel(Channel channel) {
        count(() -> metrics.closeChannel(channel));
    }

    @Override
    public void basicPublish(Channel channel) {
        count(() -> metrics.basicPublish(channel));
    }

    @Override
    public void basicPublishFailure(Channel channel, Throwable cause) {
        count(() -> metrics.basicPublishFailure(channel, cause));
    }

    @Override
    public void basicPublishAck(Channel channel, long deliveryTag, boolean multiple) {
        count(() -> metrics.basicPublishAck(channel, deliveryTag, multiple));
    }

    @Override
    public void basicPublishNack(Channel channel, long deliveryTag, boolean multiple) {
        count(() -> metrics.basicPublishNack(channel, deliveryTag, multiple));
    }

    @Override
    public void basicPublishUnrouted(Channel channel) {
        count(() -> metrics.basicPublishUnrouted(channel));
    }

    @Override
    public void consumedMessage(Channel channel, long deliveryTag, boolean autoAck) {
        count(() -> metrics.consumedMessage(channel, deliveryTag, autoAck));
    }

    @Override
    public void consumedMessage(Channel channel, long deliveryTag, String consumerTag) {
        count(() -> metrics.consumedMessage(channel, deliveryTag, consumerTag));
    }

    @Override
    public void basicAck(Channel channel, long deliveryTag, boolean multiple) {
        count(() -> metrics.basicAck(channel, deliveryTag, multiple));
    }

    @Override
    @SuppressWarnings("deprecation") // the driver may call it
    public void basicNack(Channel channel, long deliveryTag) {
        count(() -> metrics.basicNack(channel, deliveryTag));
    }

    @Override
    public void basicNack(Channel channel, long deliveryTag, boolean requeue) {
        count(() -> metrics.basicNack(channel, deliveryTag, requeue));
    }

    @Override
    @SuppressWarnings("deprecation") // the driver may call it
    public void basicReject(Channel channel, long deliveryTag) {
        count(() -> metrics.basicReject(channel, deliveryTag));
    }

    @Override
    public void basicReject(Channel channel, long deliveryTag, boolean requeue) {
        count(() -> metrics.basicReject(channel, deliveryTag, requeue));
    }

    @Override
    public void basicConsume(Channel channel, String consumerTag, boolean autoAck) {
        count(() -> metrics.basicConsume(channel, consumerTag, autoAck));
    }

    @Override
    public void basicCancel(Channel channel, String consumerTag) {
        count(() -> metrics.basicCancel(channel, consumerTag));
    }
}
