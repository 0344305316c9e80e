// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;

/** Interprets the reason why a channel or a connection was closed. */
public final class ChannelClosing {

    private ChannelClosing() {}

    /**
     * Returns the broker's reason if it closed only the channel, because of the request. Null if the connection was
     * closed or the broker itself failed.
     */
    public static @Nullable String objection(Throwable end, String exchange) {
        if (!(end instanceof ShutdownSignalException signal)
                || !(signal.getReason() instanceof AMQP.Channel.Close close)
                || signal.isInitiatedByApplication()
                || close.getReplyCode() >= AMQP.FRAME_ERROR) {
            return null;
        }
        return (close.getReplyCode() == AMQP.NOT_FOUND)
                ? "exchange '" + exchange + "' does not exist"
                : "refused for exchange '" + exchange + "': " + close.getReplyCode() + " " + close.getReplyText();
    }

    /**
     * Returns the broker's reason if it closed the whole connection because of the data that was sent, such as an
     * unreadable message. Null if the broker is shutting down, lacks resources, or closed the connection at the request
     * of an operator.
     */
    public static @Nullable String fatality(@Nullable Throwable end) {
        if (!(end instanceof ShutdownSignalException signal)
                || !(signal.getReason() instanceof AMQP.Connection.Close close)
                || signal.isInitiatedByApplication()) {
            return null;
        }
        return switch (close.getReplyCode()) {
            case AMQP.FRAME_ERROR,
                    AMQP.SYNTAX_ERROR,
                    AMQP.COMMAND_INVALID,
                    AMQP.UNEXPECTED_FRAME,
                    AMQP.NOT_IMPLEMENTED,
                    AMQP.INTERNAL_ERROR -> close.getReplyCode() + " " + close.getReplyText();
            default -> null;
        };
    }
}
