// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.connection;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.SocketConfigurators;
import io.delayqueue.internal.concurrent.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Writes to a peer that accepts, reads one byte and then never again. */
@Timeout(30)
class SocketGuardTests {

    private static final Duration LIMIT = Duration.ofMillis(500);

    @TempDir
    private Path folder;

    @Test
    void breakFreesAThreadThatHangsInAWrite() throws Exception {
        assertFreed(ServerSocketFactory.getDefault(), SocketFactory.getDefault());
    }

    @Test
    void breakFreesAThreadThatHangsInAWriteOverTls() throws Exception {
        SSLContext context = tls();
        assertFreed(context.getServerSocketFactory(), context.getSocketFactory());
    }

    private static void assertFreed(ServerSocketFactory servers, SocketFactory clients) throws Exception {
        AtomicInteger breaks = new AtomicInteger();
        InetAddress loopback = InetAddress.getLoopbackAddress();
        SocketGuard guard = new SocketGuard(new Scheduler(), breaks::incrementAndGet);
        SocketGuard.Watch watch = guard.watch();
        try (ServerSocket server = servers.createServerSocket(0, 1, loopback)) {
            CompletableFuture<Socket> peer = CompletableFuture.supplyAsync(() -> acceptAndReadOneByte(server));
            Socket socket = clients.createSocket();
            guard.keeping(SocketConfigurators.defaultConfigurator()).configure(socket);
            socket.connect(server.getLocalSocketAddress());
            socket.getOutputStream().write(0);
            Socket accepted = peer.get(20, SECONDS);

            long start = System.nanoTime();
            watch.begin(LIMIT);
            CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> writeForEver(socket));
            Throwable failure = failureOf(writer);
            Duration took = Duration.ofNanos(System.nanoTime() - start);

            assertThat(failure).hasRootCauseInstanceOf(IOException.class);
            assertThat(took).isBetween(LIMIT, LIMIT.plusSeconds(2));
            assertThat(breaks).hasValue(1);
            accepted.close();
        }
    }

    private static Throwable failureOf(CompletableFuture<Void> writer) throws InterruptedException, TimeoutException {
        try {
            writer.get(20, SECONDS);
            throw new AssertionError("the write came to an end");
        } catch (ExecutionException ex) {
            return ex;
        }
    }

    private static Socket acceptAndReadOneByte(ServerSocket server) {
        try {
            Socket peer = server.accept();
            InputStream in = peer.getInputStream();
            assertThat(in.read()).isZero();
            return peer;
        } catch (IOException ex) {
            throw new IllegalStateException(ex);
        }
    }

    private static void writeForEver(Socket socket) {
        try {
            OutputStream out = socket.getOutputStream();
            while (true) {
                out.write(new byte[64 * 1024]);
            }
        } catch (IOException ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** A key pair of this test's own, made by the JDK's tool. */
    private SSLContext tls() throws Exception {
        Path file = folder.resolve("keys.p12");
        String password = "changeit";
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        "test",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        password)
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance(file.toFile(), password.toCharArray());
        KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keyManagers.init(keys, password.toCharArray());
        TrustManagerFactory trustManagers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trustManagers.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
        return context;
    }
}
