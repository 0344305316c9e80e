// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.delayqueue.faults.load.LoadApplication;
import io.delayqueue.test.server.RabbitServer;

/** Deletes and restores the exchange and the queue of the load's tasks in RabbitMQ. */
record BrokerAdmin(RabbitServer rabbit) {

    void deleteBinding() throws Exception {
        with(channel -> channel.queueUnbind(
                LoadApplication.BROKER_QUEUE, LoadApplication.EXCHANGE, LoadApplication.ROUTING_KEY));
    }

    void deleteExchange() throws Exception {
        with(channel -> channel.exchangeDelete(LoadApplication.EXCHANGE));
    }

    /** Declares the exchange and the queue like the library. */
    void restore() throws Exception {
        with(channel -> {
            channel.exchangeDeclare(LoadApplication.EXCHANGE, BuiltinExchangeType.DIRECT, true);
            channel.queueBind(LoadApplication.BROKER_QUEUE, LoadApplication.EXCHANGE, LoadApplication.ROUTING_KEY);
        });
    }

    private void with(Step step) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(rabbit.uri());
        try (Connection connection = factory.newConnection("admin");
                Channel channel = connection.createChannel()) {
            step.perform(channel);
        }
    }

    @FunctionalInterface
    private interface Step {

        void perform(Channel channel) throws Exception;
    }
}
