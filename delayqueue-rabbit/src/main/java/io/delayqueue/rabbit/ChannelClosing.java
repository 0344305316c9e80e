// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;

/** Reads why a channel was closed. */
final class ChannelClosing {

    private ChannelClosing() {}

    /**
     * What the broker objects to, if it closed only the channel and for a fault of the request; null if the connection
     * is gone, or the fault was the broker's own.
     */
    static @Nullable String objection(Throwable end, String exchange) {
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
}
