// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.util.FileSystemUtils;

/** One redis-server on a free port of the loopback, with its own folder. Ends with this JVM at the latest. */
public final class RedisServerProcess implements BreakableServer, AutoCloseable {

    private final RedisBinary binary;
    private final List<String> options;
    private final Path folder;
    private final int port;
    private Process process;

    private RedisServerProcess(RedisBinary binary, List<String> options) throws IOException {
        this.binary = binary;
        this.options = options;
        this.folder = Files.createTempDirectory("delayqueue-redis");
        this.port = freePort();
        this.process = launch();
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    static RedisServerProcess start(RedisBinary binary, String... options) {
        try {
            return new RedisServerProcess(binary, List.of(options));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void restart() {
        kill();
        try {
            process = launch();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public void close() {
        kill();
        FileSystemUtils.deleteRecursively(folder.toFile());
    }

    private Process launch() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                binary.executable().toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--dir",
                folder.toString(),
                "--logfile",
                folder.resolve("redis.log").toString()));
        command.addAll(options);
        Process launched = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();
        await().atMost(Duration.ofSeconds(10))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .failFast("redis-server ended, see " + folder, () -> !launched.isAlive())
                .until(this::answers);
        return launched;
    }

    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
            socket.setSoTimeout(500);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII).equals("+PONG");
        } catch (IOException ex) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
