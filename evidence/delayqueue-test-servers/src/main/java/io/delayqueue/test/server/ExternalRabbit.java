// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;

/** The RabbitMQ at the address in {@value RabbitServer#ADDRESS_VARIABLE}. */
final class ExternalRabbit extends ExternalServer implements RabbitServer {

    ExternalRabbit(URI uri) {
        super("RabbitMQ", ADDRESS_VARIABLE, uri, 5672);
    }

    @Override
    boolean answers() {
        return new AmqpPing(uri()).isReady();
    }

    @Override
    public String ctl(String... arguments) {
        throw unsupported("run rabbitmqctl against");
    }

    @Override
    public URI publisherUri() {
        return uri();
    }
}
