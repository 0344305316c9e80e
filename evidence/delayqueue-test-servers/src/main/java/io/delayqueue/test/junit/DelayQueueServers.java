// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.junit;

import io.delayqueue.test.server.DatabaseServer;
import io.delayqueue.test.server.DatabaseServerBuilder;
import io.delayqueue.test.server.EmbeddedAmqpBroker;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.test.server.TestDatabase;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives the tests of a class the servers they need.
 *
 * <pre>{@code
 * @SpringBootTest
 * @DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
 * class OrderTimeoutTests {
 *
 *     @Test
 *     void orderIsClosedThoughRedisDies(RedisServer redis) {
 *         redis.kill();
 *         redis.start();
 *         ...
 *     }
 * }
 * }</pre>
 *
 * <p>Each kind of server is started once and shared by all classes that ask for it, data included, until the JVM ends. A
 * server that a test left stopped, killed or frozen is made to run again before the next test. A test that must not
 * disturb others starts its own server instead, with {@link RedisServer#embedded()} and its siblings.
 *
 * <p>Parameters of type {@link RedisServer}, {@link RabbitServer}, {@link EmbeddedAmqpBroker}, {@link DatabaseServer} and
 * {@link TestDatabase} are resolved in test and life-cycle methods. A Spring Boot context loaded by the test connects to
 * these servers, whatever its properties say.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(DelayQueueServersExtension.class)
public @interface DelayQueueServers {

    Redis redis() default Redis.AVAILABLE;

    Rabbit rabbit() default Rabbit.NONE;

    /**
     * A parameter of type {@link TestDatabase} is an empty database for the test class, which its tests share; its JDBC
     * driver must be on the test class path. No Spring context is connected to it by itself.
     */
    Database database() default Database.NONE;

    /** Which Redis. */
    enum Redis {
        NONE,
        /** {@link RedisServer#available()}. */
        AVAILABLE,
        /** {@link RedisServer#embedded()}. */
        EMBEDDED,
        /** {@link RedisServer#installed()}. */
        INSTALLED
    }

    /** Which AMQP broker. */
    enum Rabbit {
        NONE,
        /** {@link EmbeddedAmqpBroker}: quick, in this JVM, but not RabbitMQ. */
        EMBEDDED,
        /** {@link RabbitServer#installed()}; the test fails if none can be had. */
        REAL
    }

    /** Which database. Commits are flushed by the operating system: see {@link DatabaseServerBuilder#unflushed()}. */
    enum Database {
        NONE,
        /** {@link DatabaseServer#postgres()}. */
        POSTGRES,
        /** {@link DatabaseServer#mariaDb()}. */
        MARIADB
    }
}
