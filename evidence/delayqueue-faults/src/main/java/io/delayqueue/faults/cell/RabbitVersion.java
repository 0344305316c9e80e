// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.delayqueue.test.server.RabbitServer;

/** Reads the version of a broker. */
final class RabbitVersion {

    private RabbitVersion() {}

    static String of(RabbitServer rabbit) {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(rabbit.uri());
            try (Connection connection = factory.newConnection("version")) {
                return "RabbitMQ " + connection.getServerProperties().get("version");
            }
        } catch (Exception ex) {
            throw new IllegalStateException("The broker does not tell its version", ex);
        }
    }
}
