// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a publisher and the broker, tells its trial connections from the others, and sees what is sent. */
final class BrokerProxy implements AutoCloseable {

    private static final int BUFFER = 65_536;

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final AtomicInteger connections = new AtomicInteger();
    private final Set<Integer> trials = ConcurrentHashMap.newKeySet();
    private final URI broker;
    private volatile Watcher watcher = (trial, sent) -> Fate.PASSES;
    private volatile Duration trialDelay = Duration.ZERO;

    BrokerProxy(URI broker) throws IOException {
        this.broker = broker;
        start(this::accept);
    }

    /** Decides about all that is sent from now on. */
    void watch(Watcher next) {
        watcher = next;
    }

    /** Delays each answer of the broker on trial connections. */
    void delayTrials(Duration delay) {
        trialDelay = delay;
    }

    /** How many trial connections were begun. */
    int trials() {
        return trials.size();
    }

    /** How many others. */
    int commons() {
        return connections.get() - trials.size();
    }

    URI uri() {
        return URI.create("amqp://" + broker.getUserInfo() + "@127.0.0.1:" + server.getLocalPort());
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                int number = connections.getAndIncrement();
                Socket onward = new Socket(broker.getHost(), broker.getPort());
                start(() -> pump(client, onward, number, true));
                start(() -> pump(onward, client, number, false));
            }
        } catch (IOException ex) {
            // closed
        }
    }

    private void pump(Socket from, Socket to, int number, boolean isSent) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER];
            Fate fate = Fate.PASSES;
            for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
                if (isSent && fate == Fate.PASSES) {
                    fate = fate(number, new String(buffer, 0, read, StandardCharsets.ISO_8859_1));
                } else if (!isSent && trials.contains(number)) {
                    Thread.sleep(trialDelay.toMillis());
                }
                if (fate == Fate.BREAKS) {
                    return;
                }
                if (fate == Fate.PASSES) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException | InterruptedException ex) {
            // one of the two is gone
        }
    }

    private Fate fate(int number, String sent) {
        if (sent.contains("-trial")) {
            trials.add(number);
        }
        return watcher.sent(trials.contains(number), sent);
    }

    private static void start(Runnable step) {
        Thread thread = new Thread(step, "broker-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    /** What becomes of a connection. */
    enum Fate {
        PASSES,
        /** The broker gets nothing more. */
        FREEZES,
        BREAKS
    }

    /** Sees what is sent to the broker. */
    interface Watcher {

        Fate sent(boolean onTrial, String bytes);
    }
}
