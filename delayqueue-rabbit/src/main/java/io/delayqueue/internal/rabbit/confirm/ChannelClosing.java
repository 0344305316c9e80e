// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;

/** Reads why a channel or a connection was closed. */
public final class ChannelClosing {

    private ChannelClosing() {}

    /**
     * What the broker objects to, if it closed only the channel and for a fault of the request; null if the connection
     * is gone, or the fault was the broker's own.
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
     * What the broker says, if it closed the whole connection for what it was sent, as over a message that it cannot
     * read; null if it is ending, was told to close it, or lacks something.
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
