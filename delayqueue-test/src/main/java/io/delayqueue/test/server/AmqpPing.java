// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeoutException;

/** Checks whether the broker accepts AMQP connections. A broker opens its port before it accepts them. */
record AmqpPing(URI uri) {

    private static final int TIMEOUT_MILLIS = 2000;

    boolean isReady() {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(uri);
        } catch (URISyntaxException | GeneralSecurityException e) {
            throw new TestServerException("Not the address of an AMQP broker: " + uri.getHost(), e);
        }
        factory.setConnectionTimeout(TIMEOUT_MILLIS);
        factory.setHandshakeTimeout(TIMEOUT_MILLIS);
        factory.setChannelRpcTimeout(TIMEOUT_MILLIS);
        factory.setAutomaticRecoveryEnabled(false);
        try (Connection connection = factory.newConnection("delayqueue-test readiness")) {
            return connection.isOpen();
        } catch (IOException | TimeoutException e) {
            return false;
        }
    }
}
