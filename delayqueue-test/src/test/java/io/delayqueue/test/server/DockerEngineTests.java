// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DockerEngineTests {

    @Test
    void addressWhenUnixOrTcpIsUnderstood() {
        assertThat(DockerEngine.address("unix:///run/docker.sock"))
                .containsExactly(UnixDomainSocketAddress.of("/run/docker.sock"));
        assertThat(DockerEngine.address("tcp://127.0.0.1:2376"))
                .containsExactly(new InetSocketAddress("127.0.0.1", 2376));
        assertThat(DockerEngine.address("ssh://host")).isEmpty();
        assertThat(DockerEngine.address("npipe:////./pipe/docker_engine")).isEmpty();
        assertThat(DockerEngine.address("no uri")).isEmpty();
    }

    @Test
    void acceptsWhenNothingListensIsFalse(@TempDir Path folder) {
        assertThat(DockerEngine.accepts(UnixDomainSocketAddress.of(folder.resolve("none.sock"))))
                .isFalse();
    }

    @Test
    void acceptsWhenSomethingListensButNeverAnswersIsFalseWithinTwoSeconds() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Instant start = Instant.now();

            assertThat(DockerEngine.accepts(silent.getLocalSocketAddress())).isFalse();

            assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofSeconds(2));
        }
    }

    @Test
    void acceptsWhenAnHttpServerAnswersIsTrue() throws Exception {
        try (ServerSocket engine = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answer = CompletableFuture.runAsync(() -> {
                try (Socket socket = engine.accept()) {
                    socket.getOutputStream().write("HTTP/1.0 200 OK\r\n\r\nOK".getBytes(StandardCharsets.US_ASCII));
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });

            assertThat(DockerEngine.accepts(engine.getLocalSocketAddress())).isTrue();
            answer.join();
        }
    }
}
