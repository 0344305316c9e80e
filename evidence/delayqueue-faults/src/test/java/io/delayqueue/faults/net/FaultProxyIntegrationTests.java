// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FaultProxyIntegrationTests {

    private final EchoServer echo = new EchoServer();
    private final FaultProxy proxy = FaultProxy.to("127.0.0.1", echo.port());

    @AfterEach
    void close() {
        proxy.close();
        echo.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), proxy.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String receive(Socket socket, int bytes) throws IOException {
        return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
    }

    private static void assertSilent(Socket socket) throws IOException {
        socket.setSoTimeout(300);
        assertThatIOException()
                .isThrownBy(() -> socket.getInputStream().read())
                .isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(10_000);
    }

    @Test
    void sufferWhenNothingIsTheFaultPassesAllBytesBothWays() throws Exception {
        byte[] much = new byte[5_000_000];
        new Random(1).nextBytes(much);
        try (Socket socket = connect()) {
            Thread sender = new Thread(() -> {
                try {
                    socket.getOutputStream().write(much);
                    socket.shutdownOutput();
                } catch (IOException ex) {
                    throw new UncheckedIOException(ex);
                }
            });
            sender.start();

            assertThat(socket.getInputStream().readAllBytes()).isEqualTo(much);
            sender.join();
        }
    }

    @Test
    void sufferWhenCutResetsConnectionsAndRefusesNewOnesUntilItEnds() throws Exception {
        try (Socket socket = connect()) {
            send(socket, "a");
            assertThat(receive(socket, 1)).isEqualTo("a");

            proxy.suffer(NetworkFault.CUT);

            assertThatIOException()
                    .isThrownBy(() -> socket.getInputStream().read())
                    .withMessageContaining("reset");
        }
        assertThatIOException().isThrownBy(this::connect).withMessageContaining("refused");
        proxy.suffer(NetworkFault.NONE);
        try (Socket socket = connect()) {
            send(socket, "b");
            assertThat(receive(socket, 1)).isEqualTo("b");
        }
    }

    @Test
    void sufferWhenRepliesAreDroppedLetsRequestsThroughAndResetsWhatMissedBytes() throws Exception {
        try (Socket talking = connect();
                Socket silent = connect()) {
            send(silent, "z");
            assertThat(receive(silent, 1)).isEqualTo("z");
            proxy.suffer(NetworkFault.DROP_REPLIES);

            send(talking, "abc");

            await().atMost(Duration.ofSeconds(5)).until(() -> echo.received().endsWith("abc"));
            assertSilent(talking);
            proxy.suffer(NetworkFault.NONE);
            assertThatIOException()
                    .isThrownBy(() -> talking.getInputStream().read())
                    .withMessageContaining("reset");
            send(silent, "y");
            assertThat(receive(silent, 1)).isEqualTo("y");
        }
    }

    @Test
    void sufferWhenHalfOpenMovesNothingAndGoesOnWhereItStopped() throws Exception {
        try (Socket socket = connect()) {
            send(socket, "a");
            assertThat(receive(socket, 1)).isEqualTo("a");
            proxy.suffer(NetworkFault.HALF_OPEN);

            send(socket, "bc");

            assertSilent(socket);
            try (Socket another = connect()) {
                send(another, "x");
                assertSilent(another);
                assertThat(echo.received()).isEqualTo("a");

                proxy.suffer(NetworkFault.NONE);

                assertThat(receive(socket, 2)).isEqualTo("bc");
                assertThat(receive(another, 1)).isEqualTo("x");
            }
        }
    }

    @Test
    void sufferWhenDelayedTakesBetweenOneAndThreeTenthsOfASecondThereAndBack() throws Exception {
        proxy.suffer(NetworkFault.DELAY);
        try (Socket socket = connect()) {
            for (int i = 0; i < 5; i++) {
                long begin = System.nanoTime();
                send(socket, "abcd");
                assertThat(receive(socket, 4)).isEqualTo("abcd");
                assertThat(Duration.ofNanos(System.nanoTime() - begin))
                        .isBetween(Duration.ofMillis(100), Duration.ofMillis(1_000));
            }
        }
    }

    @Test
    void sufferWhenDelayedKeepsTheOrder() throws Exception {
        proxy.suffer(NetworkFault.DELAY);
        StringBuilder sent = new StringBuilder();
        try (Socket socket = connect()) {
            for (int i = 1000; i < 1300; i++) {
                send(socket, "" + i);
                sent.append(i);
            }

            assertThat(receive(socket, sent.length())).isEqualTo(sent.toString());
        }
    }

    @Test
    void sufferWhenByteByByteHandsOverAMessageInManyPieces() throws Exception {
        proxy.suffer(NetworkFault.BYTE_BY_BYTE);
        String text = "0123456789".repeat(5_000);
        try (Socket socket = connect()) {
            InputStream in = socket.getInputStream();
            send(socket, text);
            assertThat(new String(in.readNBytes(text.length()), StandardCharsets.US_ASCII))
                    .isEqualTo(text);
        }
        // what is not read at once is joined again by the operating system, so not every piece is a single byte
        assertThat(echo.reads()).isGreaterThan(10);
    }

    @Test
    void closeGivesThePortBackAndRefusesOrders() {
        proxy.close();

        assertThatIOException().isThrownBy(this::connect);
        assertThatIllegalStateException().isThrownBy(() -> proxy.suffer(NetworkFault.NONE));
    }

    @Test
    void redisAnswersThroughWhateverOnlySlowsAndExecutesWhatItsReplyIsDroppedOf() {
        try (RedisServer redis = RedisServer.installed().start();
                FaultProxy through = FaultProxy.to(redis.host(), redis.port())) {
            RedisClient client = RedisClient.create();
            try (StatefulRedisConnection<String, String> past = client.connect(RedisURI.create(redis.adminUri()));
                    StatefulRedisConnection<String, String> connection =
                            client.connect(RedisURI.create("redis://127.0.0.1:" + through.port()))) {
                String value = "v".repeat(5_000);
                for (NetworkFault fault :
                        new NetworkFault[] {NetworkFault.NONE, NetworkFault.DELAY, NetworkFault.BYTE_BY_BYTE}) {
                    through.suffer(fault);
                    connection.sync().set(fault.name(), value);
                    assertThat(connection.sync().get(fault.name())).isEqualTo(value);
                }
                through.suffer(NetworkFault.DROP_REPLIES);
                var reply = connection.async().set("dropped", "1");
                await().until(() -> past.sync().exists("dropped") == 1);
                assertThat(reply.isDone()).isFalse();
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
            }
        }
    }
}
