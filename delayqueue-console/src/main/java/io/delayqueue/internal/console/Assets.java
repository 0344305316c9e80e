// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** The console's style sheet, scripts and icon. Their addresses contain a version, which is a hash of their content. */
final class Assets {

    private static final String FOLDER = "/io/delayqueue/console/assets/";
    private static final Map<String, String> TYPES = Map.of(
            "console.css", "text/css;charset=UTF-8",
            "console.js", "text/javascript;charset=UTF-8",
            "theme.js", "text/javascript;charset=UTF-8",
            "icon.svg", "image/svg+xml");

    private final Map<String, byte[]> files = new TreeMap<>();
    private final String version;

    Assets() {
        MessageDigest digest = sha256();
        TYPES.keySet().forEach(name -> files.put(name, read(name)));
        files.values().forEach(digest::update);
        version = HexFormat.of().formatHex(digest.digest(), 0, 8);
    }

    String version() {
        return version;
    }

    /**
     * Returns a file. If the requested version is another one, browsers must not cache the file: during a rolling
     * update, a page of one version may load files from a process of another.
     */
    ConsoleAnswer answer(String version, String name) {
        byte[] file = files.get(name);
        String type = TYPES.get(name);
        return file == null || type == null
                ? ConsoleAnswer.nothing()
                : ConsoleAnswer.file(type, file, version.equals(this.version));
    }

    private static byte[] read(String name) {
        try (InputStream in = Assets.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw new IllegalStateException(FOLDER + name + " is not on the class path");
            }
            return in.readAllBytes();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException(ex);
        }
    }
}
