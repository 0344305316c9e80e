// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Describes the {@link RabbitServer} to start. Not for use by several threads at once. */
public final class RabbitServerBuilder {

    enum Source {
        AVAILABLE,
        DOCKER,
        INSTALLED
    }

    private final Source source;
    private final List<String> config = new ArrayList<>();
    private final List<RabbitUser> users = new ArrayList<>();

    RabbitServerBuilder(Source source) {
        this.source = source;
    }

    /** Adds a line of {@code rabbitmq.conf}, for example {@code channel_max = 64}. */
    public RabbitServerBuilder config(String line) {
        config.add(line);
        return this;
    }

    /**
     * Adds a user without tags. The permissions are regular expressions over names of exchanges and queues of the
     * virtual host {@code /}, as {@code rabbitmqctl set_permissions} takes them.
     */
    public RabbitServerBuilder user(String name, String password, String configure, String write, String read) {
        users.add(new RabbitUser(name, password, "", configure, write, read));
        return this;
    }

    /**
     * A handle that has not been started.
     *
     * @throws TestServerException if no such server can be had on this machine; the message tells how to get one
     */
    public RabbitServer build() {
        return switch (source) {
            case DOCKER -> docker();
            case INSTALLED -> installed();
            case AVAILABLE -> available();
        };
    }

    /** {@link #build()} and {@link RabbitServer#start()}; leaves nothing behind if that fails. */
    public RabbitServer start() {
        RabbitServer server = build();
        try {
            server.start();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private RabbitServer available() {
        Optional<URI> address = config.isEmpty() && users.isEmpty()
                ? ExternalServer.address(RabbitServer.ADDRESS_VARIABLE)
                : Optional.empty();
        if (address.isPresent()) {
            return new ExternalRabbit(address.get());
        }
        return DockerEngine.isUsable() && !RabbitPrograms.areNamed() ? docker() : installed();
    }

    private RabbitServer docker() {
        if (!DockerEngine.isUsable()) {
            throw new TestServerException(
                    "Cannot start RabbitMQ in a container: it takes org.testcontainers:testcontainers"
                            + " on the class path and a Docker engine that answers.");
        }
        return new DockerRabbit(config, RabbitUser.definitions(users));
    }

    private RabbitServer installed() {
        RabbitPrograms programs = RabbitPrograms.find();
        return new LocalRabbit(programs, new ServerFolder("rabbit"), config, RabbitUser.definitions(users));
    }
}
