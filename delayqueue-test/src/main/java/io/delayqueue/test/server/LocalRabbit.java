// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A RabbitMQ node of ours beside whatever else runs on this machine: its own folder, cookie, ports and port mapper. The
 * port mapper (epmd) is started first and by us; the one that Erlang starts by itself would outlive the node.
 */
final class LocalRabbit extends LocalServer implements RabbitServer {

    private final RabbitPrograms programs;
    private final List<String> config;
    private final int distributionPort = FreePort.next();
    private final int epmdPort = FreePort.next();
    private final String nodeName;
    private @Nullable ServerProcess epmd;

    LocalRabbit(RabbitPrograms programs, ServerFolder folder, List<String> config) {
        super(folder, FreePort.next());
        this.programs = programs;
        this.config = List.copyOf(config);
        this.nodeName = "delayqueue-" + port() + "@localhost";
    }

    @Override
    ServerProcess launch() {
        folder().write("rabbitmq.conf", config);
        folder().write("advanced.config", List.of("[]."));
        folder().write("enabled_plugins", List.of("[]."));
        folder().write("rabbitmq-env.conf", List.of());
        if (epmd == null || !epmd.isAlive()) {
            epmd = ServerProcess.start(
                    List.of(programs.epmd().toString(), "-port", "" + epmdPort, "-address", host()),
                    commonEnvironment(),
                    folder(),
                    folder().log());
        }
        return ServerProcess.start(List.of(programs.server().toString()), nodeEnvironment(), folder(), folder().log());
    }

    @Override
    void afterStop() {
        if (epmd != null) {
            epmd.kill();
            epmd = null;
        }
    }

    private Map<String, String> commonEnvironment() {
        return Map.of(
                "HOME",
                folder().path().toString(),
                "ERL_EPMD_PORT",
                "" + epmdPort,
                "RABBITMQ_NODENAME",
                nodeName,
                "RABBITMQ_CONF_ENV_FILE",
                folder().resolve("rabbitmq-env.conf").toString());
    }

    private Map<String, String> nodeEnvironment() {
        Map<String, String> environment = new HashMap<>(commonEnvironment());
        environment.put("RABBITMQ_NODE_IP_ADDRESS", host());
        environment.put("RABBITMQ_NODE_PORT", "" + port());
        environment.put("RABBITMQ_DIST_PORT", "" + distributionPort);
        environment.put(
                "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1} +sbwt none");
        environment.put("RABBITMQ_MNESIA_BASE", folder().resolve("data").toString());
        environment.put("RABBITMQ_LOG_BASE", folder().resolve("log").toString());
        environment.put("RABBITMQ_LOGS", "-");
        environment.put("RABBITMQ_PID_FILE", pidFile().toString());
        environment.put(
                "RABBITMQ_ENABLED_PLUGINS_FILE",
                folder().resolve("enabled_plugins").toString());
        environment.put(
                "RABBITMQ_CONFIG_FILE", folder().resolve("rabbitmq.conf").toString());
        environment.put(
                "RABBITMQ_ADVANCED_CONFIG_FILE",
                folder().resolve("advanced.config").toString());
        // makes the start script give its place to the Erlang VM instead of waiting for it as a parent
        environment.put("RUNNING_UNDER_SYSTEMD", "true");
        return environment;
    }

    @Override
    boolean answers() {
        return new AmqpPing(uri()).isReady();
    }

    @Override
    long pid(ServerProcess launched) {
        try {
            return Long.parseLong(Files.readString(pidFile()).strip());
        } catch (IOException | NumberFormatException e) {
            return launched.pid();
        }
    }

    private Path pidFile() {
        return folder().resolve("node.pid");
    }

    @Override
    public String ctl(String... arguments) {
        List<String> command = new ArrayList<>(List.of(programs.ctl().toString(), "--quiet"));
        command.addAll(Arrays.asList(arguments));
        return Executable.output(command, commonEnvironment());
    }

    @Override
    public URI uri() {
        return URI.create("amqp://guest:guest@" + host() + ":" + port());
    }

    @Override
    public String description() {
        return "installed RabbitMQ (" + programs.server() + ") on " + host() + ":" + port();
    }
}
