// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a publisher and the broker, tells its trial connections from the others, and sees what is sent. */
final class BrokerProxy implements AutoCloseable {

    private static final int BUFFER = 65_536;

    /** How {@code basic.ack} begins, which is what the broker confirms with: class 60, method 80. */
    private static final byte[] ACK = {0, 60, 0, 80};

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final AtomicInteger connections = new AtomicInteger();
    private final Set<Integer> trials = ConcurrentHashMap.newKeySet();
    private final URI broker;
    private volatile Watcher watcher = (trial, sent) -> Fate.PASSES;
    private volatile Duration trialDelay = Duration.ZERO;
    private volatile boolean isDroppingConfirms;

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

    /** Drops what the broker confirms, until the first trial connection is begun. */
    void dropConfirmsUntilFirstTrial() {
        isDroppingConfirms = true;
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
                start(() -> pumpSent(client, onward, number));
                start(() -> pumpAnswers(onward, client, number));
            }
        } catch (IOException ex) {
            // closed
        }
    }

    private void pumpSent(Socket from, Socket to, int number) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER];
            Fate fate = Fate.PASSES;
            for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
                if (fate == Fate.PASSES) {
                    fate = fate(number, new String(buffer, 0, read, StandardCharsets.ISO_8859_1));
                }
                if (fate == Fate.BREAKS) {
                    return;
                }
                if (fate == Fate.PASSES) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException ex) {
            // one of the two connections is closed
        }
    }

    /** Forwards frames of AMQP 0-9-1: type, channel, size, payload of that size, and an end. */
    private void pumpAnswers(Socket from, Socket to, int number) {
        try (from;
                to) {
            DataInputStream in = new DataInputStream(new BufferedInputStream(from.getInputStream(), BUFFER));
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(to.getOutputStream(), BUFFER));
            while (true) {
                byte type = in.readByte();
                short channel = in.readShort();
                byte[] payload = new byte[in.readInt()];
                in.readFully(payload);
                byte end = in.readByte();
                if (trials.contains(number)) {
                    Thread.sleep(trialDelay.toMillis());
                }
                if (!isDropped(payload)) {
                    out.writeByte(type);
                    out.writeShort(channel);
                    out.writeInt(payload.length);
                    out.write(payload);
                    out.writeByte(end);
                }
                if (in.available() == 0) {
                    out.flush();
                }
            }
        } catch (IOException | InterruptedException ex) {
            // one of the two connections is closed
        }
    }

    private boolean isDropped(byte[] payload) {
        return isDroppingConfirms
                && trials.isEmpty()
                && payload.length > ACK.length
                && Arrays.equals(payload, 0, ACK.length, ACK, 0, ACK.length);
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

    /** The fate of a connection. */
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
