// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A minimal Redis client that checks whether a server is up. With it, the kit requires no client library. */
record RedisPing(URI uri) {

    private static final int TIMEOUT_MILLIS = 2000;

    /**
     * Returns {@code true} if the server executes commands or requires a password; {@code false} while it is loading
     * its data.
     */
    boolean isReady() {
        try {
            firstLine("PING", "+PONG");
            return true;
        } catch (IOException e) {
            // A server that requires a password is also up.
            return String.valueOf(e.getMessage()).startsWith("-NOAUTH");
        }
    }

    String version() {
        try {
            return firstLine("INFO server", "redis_version:").strip();
        } catch (IOException e) {
            throw new TestServerException(
                    "Redis on " + uri.getHost() + ":" + uri.getPort() + " does not report its version", e);
        }
    }

    private String login() {
        String userInfo = uri.getUserInfo();
        if (userInfo == null) {
            return "";
        }
        int colon = userInfo.indexOf(':');
        String user = colon > 0 ? userInfo.substring(0, colon) + " " : "";
        return "AUTH " + user + userInfo.substring(colon + 1) + "\r\n";
    }

    private String firstLine(String command, String prefix) throws IOException {
        try (Socket socket = new Socket()) {
            int port = uri.getPort() > 0 ? uri.getPort() : 6379;
            socket.connect(new InetSocketAddress(uri.getHost(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write((login() + command + "\r\n").getBytes(StandardCharsets.UTF_8));
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.startsWith(prefix)) {
                    return line.substring(prefix.length());
                }
                if (line.startsWith("-")) {
                    throw new IOException(line);
                }
            }
            throw new IOException("the connection was closed");
        }
    }
}
