// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.util.ArrayList;
import java.util.List;

/** Builder for a {@link RabbitServer}. Not thread-safe. */
public final class RabbitServerBuilder {

    private final List<String> config = new ArrayList<>();
    private final List<RabbitUser> users = new ArrayList<>();
    private final List<String> plugins = new ArrayList<>();

    RabbitServerBuilder() {}

    /** Adds a line of {@code rabbitmq.conf}, for example {@code channel_max = 64}. */
    public RabbitServerBuilder config(String line) {
        config.add(line);
        return this;
    }

    /** Enables a plugin that comes with the server, such as {@code rabbitmq_management}. */
    public RabbitServerBuilder plugin(String name) {
        plugins.add(name);
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
     * Returns a handle of a server that has not been started.
     *
     * @throws TestServerException if this machine has no such server; the message explains how to install one
     */
    public RabbitServer build() {
        RabbitPrograms programs = RabbitPrograms.find();
        return new RabbitServer(programs, new ServerFolder("rabbit"), config, plugins, RabbitUser.definitions(users));
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
}
