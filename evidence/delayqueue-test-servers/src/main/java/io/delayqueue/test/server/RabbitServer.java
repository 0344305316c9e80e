// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;

/**
 * A real RabbitMQ server under the control of a test.
 *
 * <pre>{@code
 * try (RabbitServer rabbit = RabbitServer.available().start()) {
 *     rabbit.ctl("set_vm_memory_high_watermark", "0"); // memory alarm: publishers are blocked
 *     rabbit.ctl("set_vm_memory_high_watermark", "0.4");
 *     rabbit.kill();
 *     rabbit.start(); // same ports, durable queues and persistent messages are there again
 * }
 * }</pre>
 *
 * <p>A broker that keeps its declarations in Mnesia writes them out up to two seconds late, so that a queue declared
 * just before a {@link #kill()} may be missing afterwards, as after any crash.
 */
public interface RabbitServer extends TestServer {

    /** The environment variable whose {@code amqp://user:password@host:port[/vhost]} {@link #available} prefers. */
    String ADDRESS_VARIABLE = "DELAYQUEUE_TEST_RABBITMQ_URI";

    /**
     * The environment variable that names the folder of the programs {@code rabbitmq-server}, {@code rabbitmqctl} and
     * {@code epmd} of which every handle is made that is no container; {@link #available} prefers them to a container.
     * They may be scripts that end with {@code exec} of another program.
     */
    String PROGRAMS_VARIABLE = "DELAYQUEUE_TEST_RABBITMQ_PROGRAMS";

    /**
     * Credentials of a user that may publish to every exchange and nothing else: what the library needs where it
     * declares nothing. {@link #uri} names one that may do everything. If the server was given by an address, this is
     * the user in that address.
     */
    URI publisherUri();

    /**
     * Runs {@code rabbitmqctl} against this server, about one second a call.
     *
     * @return what it printed
     * @throws TestServerException if it ends with an error, with what it printed
     * @throws UnsupportedOperationException for a server that was given by an address
     */
    String ctl(String... arguments);

    /**
     * The first of: the address in {@value #ADDRESS_VARIABLE}; a container, if Testcontainers is on the class path and
     * a Docker engine answers; an installed server program. A builder that was given configuration passes over the
     * address, because it could not apply it there.
     */
    static RabbitServerBuilder available() {
        return new RabbitServerBuilder(RabbitServerBuilder.Source.AVAILABLE);
    }

    /** A RabbitMQ container, through Testcontainers. */
    static RabbitServerBuilder docker() {
        return new RabbitServerBuilder(RabbitServerBuilder.Source.DOCKER);
    }

    /** The server program of this machine, with its own data folder, ports and epmd; any user may run it. */
    static RabbitServerBuilder installed() {
        return new RabbitServerBuilder(RabbitServerBuilder.Source.INSTALLED);
    }
}
