// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.net;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends back what it reads, and remembers it. */
final class EchoServer implements AutoCloseable {

    private final ServerSocket listener;
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final AtomicInteger reads = new AtomicInteger();

    EchoServer() {
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        start(this::accept);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "echo");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                start(() -> echo(socket));
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    private void echo(Socket socket) {
        byte[] buffer = new byte[1 << 16];
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                reads.incrementAndGet();
                synchronized (received) {
                    received.write(buffer, 0, count);
                }
                socket.getOutputStream().write(buffer, 0, count);
            }
        } catch (IOException broken) {
            // as some tests mean it to be
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    /** How often something was read. */
    int reads() {
        return reads.get();
    }

    String received() {
        synchronized (received) {
            return received.toString(StandardCharsets.US_ASCII);
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
