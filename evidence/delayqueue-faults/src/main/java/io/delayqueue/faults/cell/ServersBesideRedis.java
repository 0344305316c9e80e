// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.net.URI;
import java.util.List;

/**
 * What a run needs beside Redis servers that are failed over: a RabbitMQ, and a server to ask for the time. All servers
 * of a host have one clock, and this one is always there.
 */
final class ServersBesideRedis implements AutoCloseable {

    private final RedisServer clock = RedisServer.installed().start();
    private final RabbitServer rabbit;

    ServersBesideRedis() {
        try {
            this.rabbit = RabbitServer.installed().start();
        } catch (RuntimeException ex) {
            clock.close();
            throw ex;
        }
    }

    URI clock() {
        return clock.adminUri();
    }

    /** For applications, which publish. */
    String publisherProperty() {
        return "spring.rabbitmq.addresses=" + rabbit.publisherUri();
    }

    /** For the observer, who declares and consumes. */
    String rabbitProperty() {
        return "spring.rabbitmq.addresses=" + rabbit.uri();
    }

    /**
     * Returns the user whom all servers of the tests know, who may do what the library needs and nothing else.
     *
     * @param prefix of the properties
     */
    static List<String> redisUser(String prefix, RedisServer one) {
        String[] user = one.leastUri().getUserInfo().split(":", 2);
        return List.of(prefix + ".username=" + user[0], prefix + ".password=" + user[1]);
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
