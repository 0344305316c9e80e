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

/**
 * A real RabbitMQ server that a test controls.
 *
 * <pre>{@code
 * try (RabbitServer rabbit = RabbitServer.installed().start()) {
 *     rabbit.ctl("set_vm_memory_high_watermark", "0"); // memory alarm: publishers are blocked
 *     rabbit.ctl("set_vm_memory_high_watermark", "0.4");
 *     rabbit.kill();
 *     rabbit.start(); // same ports; durable queues and persistent messages are back
 * }
 * }</pre>
 *
 * <p>The node is independent of other software on this machine: it has its own folder, cookie, ports and port mapper.
 * Nodes of one cluster share the cookie and the port mapper.
 *
 * <p>A broker that stores declarations in Mnesia writes them up to two seconds late. A queue that was declared just
 * before a {@link #kill()} may therefore be missing, as after any crash.
 */
public final class RabbitServer extends TestServer {

    /**
     * The environment variable that names the folder of the programs {@code rabbitmq-server}, {@code rabbitmqctl} and
     * {@code epmd}. They may be scripts that {@code exec} another program.
     */
    public static final String PROGRAMS_VARIABLE = "DELAYQUEUE_TEST_RABBITMQ_PROGRAMS";

    private static final String DEFINITIONS = "definitions.json";

    private final RabbitPrograms programs;
    private final List<String> config;
    private final List<String> plugins;
    private final String definitions;
    private final int distributionPort = FreePort.next();
    private final PortMapper portMapper;
    private final boolean ownsPortMapper;

    private RabbitServer(
            RabbitPrograms programs,
            ServerFolder folder,
            int port,
            List<String> config,
            List<String> plugins,
            String definitions,
            PortMapper portMapper,
            boolean ownsPortMapper) {
        super(folder, port);
        this.programs = programs;
        this.config = new ArrayList<>(config);
        this.config.add("load_definitions = " + folder.resolve(DEFINITIONS));
        this.plugins = List.copyOf(plugins);
        this.definitions = definitions;
        this.portMapper = portMapper;
        this.ownsPortMapper = ownsPortMapper;
    }

    /** Returns a builder for the server program of this machine; any user may run it. */
    public static RabbitServerBuilder installed() {
        return new RabbitServerBuilder();
    }

    /** Creates a node outside a cluster. */
    RabbitServer(
            RabbitPrograms programs,
            ServerFolder folder,
            List<String> config,
            List<String> plugins,
            String definitions) {
        this(programs, folder, FreePort.next(), config, plugins, definitions, new PortMapper(programs, folder), true);
    }

    /** Returns a node of a cluster, whose port mapper keeps running when the node stops. */
    static RabbitServer ofCluster(RabbitPrograms programs, int port, List<String> config, PortMapper portMapper) {
        ServerFolder folder = new ServerFolder("rabbit-node");
        folder.writeSecret(".erlang.cookie", portMapper.cookie());
        return new RabbitServer(
                programs, folder, port, config, List.of(), RabbitUser.definitions(List.of()), portMapper, false);
    }

    static String nodeName(int port) {
        return "delayqueue-" + port + "@localhost";
    }

    @Override
    ServerProcess launch() {
        folder().write("rabbitmq.conf", config);
        folder().write(DEFINITIONS, List.of(definitions));
        folder().write("advanced.config", List.of("[]."));
        folder().write("enabled_plugins", List.of(plugins + "."));
        folder().write("rabbitmq-env.conf", List.of());
        portMapper.start();
        return ServerProcess.start(List.of(programs.server().toString()), nodeEnvironment(), folder(), folder().log());
    }

    @Override
    void afterStop() {
        if (ownsPortMapper) {
            portMapper.stop();
        }
    }

    private Map<String, String> commonEnvironment() {
        return Map.of(
                "HOME",
                folder().path().toString(),
                "ERL_CRASH_DUMP_SECONDS",
                "0", // else a command that fails writes erl_crash.dump into the current folder
                "ERL_EPMD_PORT",
                "" + portMapper.port(),
                "RABBITMQ_NODENAME",
                nodeName(port()),
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
        // replaces the start script with the Erlang VM, so that it is not a parent that waits
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

    /**
     * Runs {@code rabbitmqctl} against this server; a call takes about a second.
     *
     * @return its output
     * @throws TestServerException if it fails; the message contains its output
     */
    public String ctl(String... arguments) {
        List<String> command = new ArrayList<>(List.of(programs.ctl().toString(), "--quiet"));
        command.addAll(Arrays.asList(arguments));
        return Executable.output(command, commonEnvironment());
    }

    @Override
    public URI uri() {
        return URI.create("amqp://guest:guest@" + host() + ":" + port());
    }

    /**
     * Returns the address with a user that may only publish, to every exchange: the permissions that the library needs
     * if it declares nothing. {@link #uri} has a user with all permissions.
     */
    public URI publisherUri() {
        return URI.create("amqp://" + LeastRights.USER_INFO + "@" + host() + ":" + port());
    }

    @Override
    public String description() {
        return "installed RabbitMQ (" + programs.server() + ") on " + host() + ":" + port();
    }
}
