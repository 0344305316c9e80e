// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.intake;

import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.rabbit.confirm.ConfirmChannels;
import io.delayqueue.internal.rabbit.connection.BrokerConnection;
import io.delayqueue.internal.rabbit.connection.RabbitPublisherOptions;
import java.util.List;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

/**
 * The connection on which intakes consume, and another one for rejected messages, which opens when it is first needed.
 * Intakes publish nothing on the first one, because a broker that blocks publishers does not read acknowledgements from
 * them either.
 */
public final class IntakeConnection implements AutoCloseable {

    /** The driver refuses larger messages. RabbitMQ does not accept larger ones. */
    private static final int MAX_MESSAGE_BYTES = 512 << 20;

    private final Scheduler timer = new Scheduler();
    private final ConfirmChannels consuming;
    private final ConfirmChannels rejecting;
    private final RabbitPublisherOptions options;

    /** @param factory a factory for this connection only; not connected yet, and closed with the connection */
    public IntakeConnection(CachingConnectionFactory factory, RabbitPublisherOptions options) {
        this.options = options;
        factory.getRabbitConnectionFactory().setMaxInboundMessageBodySize(MAX_MESSAGE_BYTES);
        CachingConnectionFactory second = new CachingConnectionFactory(
                factory.getRabbitConnectionFactory().clone());
        this.consuming = ConfirmChannels.over(
                factory,
                options.withConnectionName("delayqueue-intake"),
                timer,
                "intakes accept no messages until the connection is back");
        this.rejecting = ConfirmChannels.over(
                second,
                options.withConnectionName("delayqueue-intake-rejected"),
                timer,
                "intakes with rejected messages accept no others until the connection is back");
        second.setAddressResolver(() -> List.of(consuming.broker().lastNode()));
    }

    BrokerConnection broker() {
        return consuming.broker();
    }

    ConfirmChannels rejecting() {
        return rejecting;
    }

    RabbitPublisherOptions options() {
        return options;
    }

    @Override
    public void close() {
        rejecting.close();
        consuming.close();
        timer.close();
    }
}
