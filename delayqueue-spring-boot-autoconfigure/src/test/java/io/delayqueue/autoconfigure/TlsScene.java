// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * The participants in the tests of encrypted connections.
 *
 * @param client certificate that the server trusts
 * @param other certificate that is not trusted, for a server with any name
 * @param server certificate that names only localhost
 * @param port port for encrypted connections
 */
record TlsScene(Certificates client, Certificates other, Certificates server, int port) {

    static TlsScene make(Path folder) throws Exception {
        return new TlsScene(
                Certificates.make(folder, "client", "DNS:client.test"),
                Certificates.make(folder, "other", "DNS:localhost,IP:127.0.0.1"),
                Certificates.make(folder, "server", "DNS:localhost"),
                freePort());
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    Peer rightOne() {
        return new Peer("right one", "localhost", port, server, client, "");
    }

    Peer withWrongAuthority() {
        return new Peer("wrong authority", "localhost", port, other, client, "unable to find valid certification path");
    }

    Peer withWrongName() {
        return new Peer("wrong name", "127.0.0.1", port, server, client, "No subject alternative names");
    }

    Peer withoutTls(int plainPort, String reason) {
        return new Peer("no TLS", "localhost", plainPort, server, client, reason);
    }

    Peer asUnknownClient(String reason) {
        return new Peer("unknown client", "localhost", port, server, other, reason);
    }

    /**
     * A server to connect to, and the log messages about it.
     *
     * @param trusted certificate that the application trusts
     * @param shown certificate that it presents on request
     */
    record Peer(String what, String host, int port, Certificates trusted, Certificates shown, String reason) {

        /**
         * An application that connects to it.
         *
         * @param prefix prefix of the properties that configure the server
         * @param userInfo as in {@code user:password}
         */
        ApplicationContextRunner reachedBy(ApplicationContextRunner runner, String prefix, String userInfo) {
            String[] user = userInfo.split(":");
            return runner.withPropertyValues(trusted.trustedBy(shown, "tls"))
                    .withPropertyValues(
                            prefix + ".ssl.bundle=tls",
                            prefix + ".host=" + host,
                            prefix + ".port=" + port,
                            prefix + ".username=" + user[0],
                            prefix + ".password=" + user[1]);
        }

        /** Returns the SSL bundle with which an application can connect to it. */
        SslBundle bundle() {
            return SslBundle.of(new PemSslStoreBundle(
                    PemSslStoreDetails.forCertificate("file:" + shown.certificate())
                            .withPrivateKey("file:" + shown.key()),
                    PemSslStoreDetails.forCertificate("file:" + trusted.certificate())));
        }

        /** Returns whether the server ends the connection because of the client's certificate. */
        boolean isRefusedByServer() {
            return reason.equals("unknown_ca");
        }

        @Override
        public String toString() {
            return what;
        }
    }
}
