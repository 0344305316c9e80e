// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

/** A self-signed certificate and its key, created by the JDK's keytool for one test. */
record Certificates(Path certificate, Path key) {

    /** @param names as in {@code DNS:localhost,IP:127.0.0.1} */
    static Certificates make(Path folder, String alias, String names) throws Exception {
        Path store = folder.resolve(alias + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        alias,
                        "-keyalg",
                        "RSA",
                        "-keysize",
                        "2048",
                        "-J-XX:TieredStopAtLevel=1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "secret",
                        "-dname",
                        "CN=" + alias,
                        "-ext",
                        "SAN=" + names,
                        "-validity",
                        "2",
                        "-keystore",
                        store.toString())
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance(store.toFile(), "secret".toCharArray());
        Path certificate = folder.resolve(alias + ".pem");
        Path key = folder.resolve(alias + ".key");
        Files.writeString(
                certificate, pem("CERTIFICATE", keys.getCertificate(alias).getEncoded()));
        Files.writeString(
                key,
                pem("PRIVATE KEY", keys.getKey(alias, "secret".toCharArray()).getEncoded()));
        return new Certificates(certificate, key);
    }

    private static String pem(String what, byte[] content) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n";
    }

    /**
     * Returns properties of an SSL bundle that trusts only this certificate, and presents the client's certificate on
     * request.
     */
    String[] trustedBy(Certificates client, String bundle) {
        String prefix = "spring.ssl.bundle.pem." + bundle;
        return new String[] {
            prefix + ".truststore.certificate=" + certificate,
            prefix + ".keystore.certificate=" + client.certificate,
            prefix + ".keystore.private-key=" + client.key
        };
    }
}
