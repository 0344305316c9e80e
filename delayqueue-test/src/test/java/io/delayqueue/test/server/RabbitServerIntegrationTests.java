// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import static io.delayqueue.test.server.RedisServerIntegrationTests.isAlive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a test can do to a server that runs, and what is left of it. */
class RabbitServerIntegrationTests {

    private static RabbitServer rabbit;

    @BeforeAll
    static void start() {
        rabbit = RabbitServer.installed().start();
    }

    @AfterAll
    static void close() {
        rabbit.close();
    }

    @Test
    void suspendFreezesTheServerUntilResume() throws Exception {
        try (Connection connection = connect(rabbit)) {
            rabbit.suspend();
            try {
                assertThat(rabbit.isRunning()).isTrue();
                assertThatThrownBy(connection::createChannel).hasStackTraceContaining("TimeoutException");
            } finally {
                rabbit.resume();
            }
        }
        try (Connection connection = connect(rabbit)) {
            assertThat(connection.createChannel().isOpen()).isTrue();
        }
    }

    @Test
    void ctlRaisesAMemoryAlarmThatBlocksPublishersAndClearsIt() throws Exception {
        AtomicReference<String> blocked = new AtomicReference<>();
        try (Connection connection = connect(rabbit);
                Channel channel = connection.createChannel()) {
            connection.addBlockedListener(blocked::set, () -> blocked.set(null));

            rabbit.ctl("set_vm_memory_high_watermark", "0");
            try {
                // the broker tells a connection that it is blocked when it publishes
                channel.basicPublish("", "nowhere", null, new byte[1]);
                await().untilAsserted(() -> assertThat(blocked.get()).contains("memory"));
            } finally {
                rabbit.ctl("set_vm_memory_high_watermark", "0.4");
            }
            await().untilAsserted(() -> assertThat(blocked.get()).isNull());
        }
    }

    @Test
    void ctlWhenTheCommandFailsTellsWhatItPrinted() {
        assertThatExceptionOfType(TestServerException.class)
                .isThrownBy(() -> rabbit.ctl("no_such_command"))
                .withMessageContaining("no_such_command");
    }

    @Test
    void listensOnLoopbackOnly() throws Exception {
        assertThat(rabbit.ctl(
                        "eval", "[inet:sockname(P) || P <- erlang:ports(), element(1, inet:peername(P)) == error]."))
                .contains("{127,0,0,1}")
                .doesNotContain("{0,0,0,0}", "{0,0,0,0,0,0,0,0}");
    }

    @Test
    void closeLeavesNoProcessAndNoFolder() {
        RabbitServer other = RabbitServer.installed()
                .config("channel_max = 64")
                .user("shop", "secret", "^$", "^shop\\.eu$", "^(a|b)$")
                .start();
        long pid = other.pid();
        Path folder = ((LocalServer) other).folder().path();
        assertThat(other.ctl("environment")).contains("{channel_max,64}");
        assertThat(other.ctl("list_permissions").lines())
                .contains("guest\t.*\t.*\t.*", "delayqueue\t^$\t.*\t^$", "shop\t^$\t^shop\\.eu$\t^(a|b)$");
        List<ProcessHandle> family = processesIn(folder);
        assertThat(family).hasSizeGreaterThanOrEqualTo(2);

        other.close();

        assertThat(isAlive(pid)).isFalse();
        await().untilAsserted(() -> assertThat(family).noneMatch(ProcessHandle::isAlive));
        assertThat(folder).doesNotExist();
    }

    /** All processes of this JVM's servers whose working folder is this one: the node, its helpers and epmd. */
    private static List<ProcessHandle> processesIn(Path folder) {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(handle -> {
                        try {
                            return Path.of("/proc", "" + handle.pid(), "cwd")
                                    .toRealPath()
                                    .startsWith(folder);
                        } catch (java.io.IOException e) {
                            return false;
                        }
                    })
                    .toList();
        }
    }

    static Connection connect(RabbitServer rabbit) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(rabbit.uri());
        factory.setAutomaticRecoveryEnabled(false);
        factory.setChannelRpcTimeout(2000);
        return factory.newConnection();
    }
}
