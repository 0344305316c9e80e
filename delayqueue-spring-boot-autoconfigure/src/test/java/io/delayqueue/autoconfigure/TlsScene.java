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
 * Who takes part in the tests of encrypted connections, and where.
 *
 * @param client whom the server trusts
 * @param other whom nobody trusts, for a server of any name
 * @param server whose certificate names localhost only
 * @param port for encrypted connections
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
     * Somebody to connect to, and what the log says of it.
     *
     * @param trusted whom the application trusts
     * @param shown what it shows where it is asked for a certificate
     */
    record Peer(String what, String host, int port, Certificates trusted, Certificates shown, String reason) {

        /**
         * An application that connects to it.
         *
         * @param prefix of the properties that name the server
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

        /** What an application has to have by then that is to connect to it. */
        SslBundle bundle() {
            return SslBundle.of(new PemSslStoreBundle(
                    PemSslStoreDetails.forCertificate("file:" + shown.certificate())
                            .withPrivateKey("file:" + shown.key()),
                    PemSslStoreDetails.forCertificate("file:" + trusted.certificate())));
        }

        /** Whether it is the server that ends the connection, for what the client shows. */
        boolean isRefusedByServer() {
            return reason.equals("unknown_ca");
        }

        @Override
        public String toString() {
            return what;
        }
    }
}
