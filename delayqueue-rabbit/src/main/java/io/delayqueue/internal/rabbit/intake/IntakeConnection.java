// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.intake;

import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.rabbit.connection.BrokerConnection;
import io.delayqueue.internal.rabbit.connection.ConnectionSettings;
import io.delayqueue.internal.rabbit.connection.RabbitPublisherOptions;
import io.delayqueue.internal.rabbit.connection.SocketGuard;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

/**
 * The connection on which intakes consume. Separate from the publisher's connection, because a broker that blocks
 * publishers does not read acknowledgements from them either.
 */
public final class IntakeConnection implements AutoCloseable {

    private final Scheduler timer = new Scheduler();
    private final SocketGuard guard;
    private final BrokerConnection broker;
    private final RabbitPublisherOptions options;

    /** @param factory a factory for this connection only; not connected yet, and closed with the connection */
    public IntakeConnection(CachingConnectionFactory factory, RabbitPublisherOptions options) {
        this.options = options.withConnectionName("delayqueue-intake");
        this.broker = new BrokerConnection(
                factory, options.longestPause(), "intakes accept no messages until the connection is back");
        this.guard = new SocketGuard(timer, broker::givenUp);
        ConnectionSettings.apply(factory, this.options, guard);
    }

    BrokerConnection broker() {
        return broker;
    }

    RabbitPublisherOptions options() {
        return options;
    }

    @Override
    public void close() {
        broker.close();
        broker.destroy();
        guard.breakConnection();
        timer.close();
    }
}
