// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.net.URI;
import java.util.List;

/**
 * The other servers of a run with Redis failovers: a RabbitMQ, and a Redis that only tells the time. All servers of a
 * host have the same clock, and this Redis is always available.
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

    /** Returns the property for applications, which publish. */
    String publisherProperty() {
        return "spring.rabbitmq.addresses=" + rabbit.publisherUri();
    }

    /** Returns the property for the observer, which declares and consumes. */
    String rabbitProperty() {
        return "spring.rabbitmq.addresses=" + rabbit.uri();
    }

    /**
     * Returns the user that exists on all servers of the tests and has only the permissions that the library needs.
     *
     * @param prefix prefix of the properties
     */
    static List<String> redisUser(String prefix, RedisServer one) {
        String[] user = one.leastUri().getUserInfo().split(":", 2);
        return List.of(prefix + ".username=" + user[0], prefix + ".password=" + user[1]);
    }

    RabbitServer rabbit() {
        return rabbit;
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
