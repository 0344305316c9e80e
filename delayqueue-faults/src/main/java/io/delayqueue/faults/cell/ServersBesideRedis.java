// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.net.URI;

/**
 * What a run needs beside Redis servers that are failed over: a RabbitMQ, and a server to ask for the time. All servers of a host
 * have one clock, and this one is always there.
 */
final class ServersBesideRedis implements AutoCloseable {

    private final RedisServer clock = RedisServer.installed().start();
    private final RabbitServer rabbit;

    ServersBesideRedis() {
        try {
            this.rabbit = RabbitServer.available().start();
        } catch (RuntimeException ex) {
            clock.close();
            throw ex;
        }
    }

    URI clock() {
        return clock.adminUri();
    }

    String rabbitProperty() {
        return "spring.rabbitmq.addresses=" + rabbit.uri();
    }

    String rabbitVersion() {
        return RabbitVersion.of(rabbit);
    }

    @Override
    public void close() {
        rabbit.close();
        clock.close();
    }
}
