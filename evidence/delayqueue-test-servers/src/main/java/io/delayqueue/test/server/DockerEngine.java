// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds out within a second whether Testcontainers would work here. Testcontainers itself takes many seconds and logs
 * stack traces until it has found that there is no engine.
 */
final class DockerEngine {

    private static final int TIMEOUT_MILLIS = 1000;

    private DockerEngine() {}

    static boolean isUsable() {
        return hasTestcontainers() && addresses().stream().anyMatch(DockerEngine::accepts);
    }

    private static boolean hasTestcontainers() {
        try {
            Class.forName("org.testcontainers.containers.GenericContainer", false, DockerEngine.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    private static List<SocketAddress> addresses() {
        String configured = System.getenv("DOCKER_HOST");
        if (configured != null && !configured.isBlank()) {
            return address(configured);
        }
        String runtimeFolder = System.getenv("XDG_RUNTIME_DIR");
        String home = System.getProperty("user.home");
        return Stream.of("/var/run/docker.sock", home + "/.docker/run/docker.sock", runtimeFolder + "/docker.sock")
                .map(Path::of)
                .filter(Files::exists)
                .<SocketAddress>map(UnixDomainSocketAddress::of)
                .toList();
    }

    /** Empty when the value is of a kind that a socket cannot reach, such as ssh or a named pipe. */
    static List<SocketAddress> address(String dockerHost) {
        try {
            URI uri = URI.create(dockerHost.strip());
            if ("unix".equals(uri.getScheme())) {
                return List.of(UnixDomainSocketAddress.of(uri.getPath()));
            }
            boolean tcp = "tcp".equals(uri.getScheme()) && uri.getHost() != null;
            return tcp
                    ? List.of(new InetSocketAddress(uri.getHost(), uri.getPort() > 0 ? uri.getPort() : 2375))
                    : List.of();
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    /** True if something at the address answers HTTP; over TLS it will complain, and that is an answer. */
    static boolean accepts(SocketAddress address) {
        long deadline = System.nanoTime() + TIMEOUT_MILLIS * 1_000_000L;
        try (SocketChannel channel = open(address);
                Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            if (channel.connect(address) || (await(selector, deadline) && channel.finishConnect())) {
                channel.write(ByteBuffer.wrap(
                        "GET /_ping HTTP/1.0\r\nHost: docker\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
                key.interestOps(SelectionKey.OP_READ);
                return await(selector, deadline) && channel.read(ByteBuffer.allocate(64)) > 0;
            }
            return false;
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    private static SocketChannel open(SocketAddress address) throws IOException {
        return address instanceof UnixDomainSocketAddress
                ? SocketChannel.open(StandardProtocolFamily.UNIX)
                : SocketChannel.open();
    }

    private static boolean await(Selector selector, long deadline) throws IOException {
        long millis = (deadline - System.nanoTime()) / 1_000_000L;
        selector.selectedKeys().clear();
        return millis > 0 && selector.select(millis) > 0;
    }
}
