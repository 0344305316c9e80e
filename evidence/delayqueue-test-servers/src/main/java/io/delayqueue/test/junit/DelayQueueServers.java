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
 * <p>Each kind of server starts once. All classes that request it share it with its data, until the JVM ends. If a test
 * leaves a server stopped, killed or frozen, the server is running before the next test starts. A test that must not
 * disturb others starts its own server, with {@link RedisServer#embedded()} and its siblings.
 *
 * <p>Parameters of type {@link RedisServer}, {@link RabbitServer}, {@link EmbeddedAmqpBroker}, {@link DatabaseServer}
 * and {@link TestDatabase} are resolved in test and life-cycle methods. A Spring Boot context that the test loads
 * connects to these servers, regardless of its properties.
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
     * The database for a parameter of type {@link TestDatabase}: empty, and shared by the tests of the class. Its JDBC
     * driver must be on the test class path. Spring contexts do not connect to it automatically.
     */
    Database database() default Database.NONE;

    /** The Redis of the tests. */
    enum Redis {
        NONE,
        /** {@link RedisServer#available()}. */
        AVAILABLE,
        /** {@link RedisServer#embedded()}. */
        EMBEDDED,
        /** {@link RedisServer#installed()}. */
        INSTALLED
    }

    /** The AMQP broker of the tests. */
    enum Rabbit {
        NONE,
        /** {@link EmbeddedAmqpBroker}: quick, in this JVM, but not RabbitMQ. */
        EMBEDDED,
        /** {@link RabbitServer#installed()}; the test fails if none is available. */
        REAL
    }

    /**
     * The database of the tests. The operating system flushes commits: see {@link DatabaseServerBuilder#unflushed()}.
     */
    enum Database {
        NONE,
        /** {@link DatabaseServer#postgres()}. */
        POSTGRES,
        /** {@link DatabaseServer#mariaDb()}. */
        MARIADB
    }
}
