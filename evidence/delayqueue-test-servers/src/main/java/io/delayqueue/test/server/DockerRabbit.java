// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/**
 * RabbitMQ in a container. The port on this side is fixed, because Docker hands out a new random one at every start,
 * and the container itself is started again after a kill, so its data is still there.
 */
final class DockerRabbit implements RabbitServer {

    private static final int AMQP = 5672;
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final String DEFINITIONS = "/etc/rabbitmq/delayqueue-definitions.json";
    private static final String IMAGE = "rabbitmq:4";

    private final GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(IMAGE));
    private final int port = FreePort.next();

    DockerRabbit(List<String> config, String definitions) {
        PortBinding binding = PortBinding.parse(port + ":" + AMQP);
        container
                .withExposedPorts(AMQP)
                // guest may only come from loopback, and through Docker's network nobody does
                .withCopyToContainer(
                        Transferable.of("loopback_users = none\nload_definitions = " + DEFINITIONS + "\n"
                                + String.join("\n", config) + "\n"),
                        "/etc/rabbitmq/conf.d/90-delayqueue.conf")
                .withCopyToContainer(Transferable.of(definitions), DEFINITIONS)
                .withCreateContainerCmdModifier(command -> command.withExposedPorts(ExposedPort.tcp(AMQP))
                        .withHostConfig(Objects.requireNonNullElseGet(command.getHostConfig(), HostConfig::new)
                                .withPortBindings(binding)));
    }

    @Override
    public synchronized void start() {
        if (isRunning()) {
            resume();
            return;
        }
        if (container.getContainerId() == null) {
            container.start();
        } else {
            docker().startContainerCmd(container.getContainerId()).exec();
        }
        if (!Pause.until(START_LIMIT, () -> new AmqpPing(uri()).isReady())) {
            throw new TestServerException(description() + " did not come up within " + START_LIMIT.toSeconds()
                    + " s. Its log:\n" + container.getLogs());
        }
    }

    @Override
    public synchronized void stop() {
        if (isRunning()) {
            docker().stopContainerCmd(container.getContainerId()).exec();
        }
    }

    @Override
    public synchronized void kill() {
        if (isRunning()) {
            docker().killContainerCmd(container.getContainerId()).exec();
        }
    }

    @Override
    public synchronized void suspend() {
        docker().pauseContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public synchronized void resume() {
        if (Boolean.TRUE.equals(state().getPaused())) {
            docker().unpauseContainerCmd(container.getContainerId()).exec();
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return container.getContainerId() != null && Boolean.TRUE.equals(state().getRunning());
    }

    @Override
    public synchronized long pid() {
        Long pid = isRunning() ? state().getPidLong() : null;
        if (pid == null) {
            throw new IllegalStateException(description() + " is not running");
        }
        return pid;
    }

    @Override
    public String ctl(String... arguments) {
        List<String> command = new ArrayList<>(List.of("rabbitmqctl", "--quiet"));
        command.addAll(Arrays.asList(arguments));
        try {
            ExecResult result = container.execInContainer(command.toArray(String[]::new));
            if (result.getExitCode() != 0) {
                throw new TestServerException(String.join(" ", command) + ": exit code " + result.getExitCode() + "\n"
                        + result.getStderr() + result.getStdout());
            }
            return result.getStdout();
        } catch (IOException | DockerException e) {
            throw new TestServerException("Cannot run " + String.join(" ", command) + " in the container", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestServerException("Interrupted while running " + String.join(" ", command), e);
        }
    }

    @Override
    public String host() {
        return container.getHost();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public URI uri() {
        return URI.create("amqp://guest:guest@" + host() + ":" + port);
    }

    @Override
    public URI publisherUri() {
        return URI.create("amqp://" + LeastRights.USER_INFO + "@" + host() + ":" + port);
    }

    @Override
    public String description() {
        return "RabbitMQ container of " + IMAGE + " on port " + port;
    }

    @Override
    public synchronized void close() {
        container.stop();
    }

    @Override
    public String toString() {
        return description();
    }

    private ContainerState state() {
        return docker().inspectContainerCmd(container.getContainerId()).exec().getState();
    }

    private static DockerClient docker() {
        return DockerClientFactory.instance().client();
    }
}
