// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Stands between a client and a server, and loses or holds back the answer to what the server has done. */
final class AnswerProxy implements AutoCloseable {

    private final int server;
    private final ServerSocket listening;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<Socket> dropped = ConcurrentHashMap.newKeySet();
    private volatile boolean losesNext;
    private volatile CountDownLatch open = new CountDownLatch(0);

    AnswerProxy(int server) throws IOException {
        this.server = server;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** The connection breaks where the next answer should have come. */
    void loseNextAnswer() {
        losesNext = true;
    }

    /** Returns whether the intended answer was lost. */
    boolean hasLostIt() {
        return !losesNext;
    }

    /** No present connection transfers an answer any more, as if a firewall had dropped it. */
    void dropConnectionsSilently() {
        dropped.addAll(sockets);
    }

    /** No answer gets through until {@link #letAnswersThrough()}. */
    void holdAnswers() {
        open = new CountDownLatch(1);
    }

    void letAnswersThrough() {
        open.countDown();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = opened(listening.accept());
            Socket behind = opened(new Socket(InetAddress.getLoopbackAddress(), server));
            start(() -> requests(client, behind));
            start(() -> answers(client, behind));
        }
    }

    private Socket opened(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        return socket;
    }

    private void requests(Socket client, Socket behind) throws IOException {
        try (client;
                behind) {
            client.getInputStream().transferTo(behind.getOutputStream());
        }
    }

    private void answers(Socket client, Socket behind) throws IOException {
        try (client;
                behind;
                InputStream in = behind.getInputStream();
                OutputStream out = client.getOutputStream()) {
            byte[] bytes = new byte[1 << 16];
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                if (losesNext) {
                    losesNext = false;
                    return;
                }
                open.await();
                if (!dropped.contains(client)) {
                    out.write(bytes, 0, count);
                }
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    private static void start(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException ex) {
                        // one end is gone, and so is the other
                    }
                },
                "answer-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        open.countDown();
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private interface Task {

        void run() throws IOException;
    }
}
