// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.intake;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Declares the topology of an intake on the broker: a quorum queue with a single active consumer and no delivery limit,
 * the queue for rejected messages and, on request, both exchanges. Does not change existing queues.
 */
public final class IntakeTopology {

    private static final int NOT_FOUND = 404;
    private static final int LIMITED_BY_DEFAULT_SINCE = 4;

    private IntakeTopology() {}

    /**
     * Declares the missing parts.
     *
     * @throws IOException if the broker refuses a declaration, for example because an exchange exists with another type
     */
    public static void declare(Connection connection, IntakeSettings settings) throws IOException {
        declareRejected(connection, settings);
        if (settings.exchangeType() == null) {
            return;
        }
        onChannel(connection, channel -> {
            channel.exchangeDeclare(
                    settings.exchange(), settings.exchangeType(), true, false, settings.exchangeArguments());
        });
        declareQueue(connection, settings.queue(), queueArguments(connection, settings));
        onChannel(connection, channel -> {
            // Declare the exchange last, because it drops messages until it is bound.
            channel.exchangeDeclare(settings.name(), "fanout", true);
            channel.queueBind(settings.queue(), settings.name(), "");
        });
    }

    /** Declares the queue for rejected messages. */
    static void declareRejected(Connection connection, IntakeSettings settings) throws IOException {
        declareQueue(connection, settings.rejectedQueue(), Map.of("x-queue-type", "quorum"));
    }

    private static Map<String, Object> queueArguments(Connection connection, IntakeSettings settings) {
        Map<String, Object> arguments = new HashMap<>();
        arguments.put("x-queue-type", "quorum");
        arguments.put("x-single-active-consumer", true);
        arguments.put("x-dead-letter-exchange", ""); // Moves expired messages to the queue for rejected ones.
        arguments.put("x-dead-letter-routing-key", settings.rejectedQueue());
        arguments.put("x-dead-letter-strategy", "at-least-once"); // Keeps them while that queue is missing.
        arguments.put("x-overflow", "reject-publish"); // The strategy requires it.
        if (majorVersion(connection) >= LIMITED_BY_DEFAULT_SINCE) {
            arguments.put("x-delivery-limit", -1);
        }
        return arguments;
    }

    private static int majorVersion(Connection connection) {
        String version = String.valueOf(connection.getServerProperties().get("version"));
        String major = version.split("\\.", 2)[0];
        return major.matches("[0-9]{1,4}") ? Integer.parseInt(major) : 0;
    }

    /** Declares a queue unless it exists. The arguments of an existing queue cannot be changed. */
    private static void declareQueue(Connection connection, String name, Map<String, Object> arguments)
            throws IOException {
        try {
            onChannel(connection, channel -> channel.queueDeclarePassive(name));
        } catch (IOException ex) {
            if (replyCode(ex) != NOT_FOUND) {
                throw ex;
            }
            onChannel(connection, channel -> channel.queueDeclare(name, true, false, false, arguments));
        }
    }

    /** Returns the code with which the broker closed the channel, or 0. */
    public static int replyCode(@Nullable Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof ShutdownSignalException signal
                    && signal.getReason() instanceof com.rabbitmq.client.AMQP.Channel.Close close) {
                return close.getReplyCode();
            }
        }
        return 0;
    }

    /**
     * Makes a declaration on a separate channel, because the broker closes the channel if it refuses the declaration.
     */
    private static void onChannel(Connection connection, Declaration declaration) throws IOException {
        Channel channel = openChannel(connection);
        try {
            declaration.on(channel);
        } finally {
            if (channel.isOpen()) {
                channel.abort();
            }
        }
    }

    static Channel openChannel(Connection connection) throws IOException {
        Channel channel = connection.createChannel();
        if (channel == null) {
            throw new IOException("the connection has no channel left; raise channel-max");
        }
        return channel;
    }

    private interface Declaration {

        void on(Channel channel) throws IOException;
    }
}
