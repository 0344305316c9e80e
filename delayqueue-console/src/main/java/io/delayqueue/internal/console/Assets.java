// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import io.delayqueue.internal.console.html.Templates;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

/** The console's style sheet, scripts and icon. Their addresses contain a version, which is a checksum of their content. */
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
        CRC32 checksum = new CRC32();
        TYPES.keySet().forEach(name -> files.put(name, Templates.resource(FOLDER + name)));
        files.values().forEach(checksum::update);
        version = Long.toHexString(checksum.getValue());
    }

    String version() {
        return version;
    }

    /**
     * Returns a file. Browsers must not cache the file if they requested another version: during a rolling update, a
     * page may load files from a process with a different version.
     */
    ConsoleAnswer answer(String version, String name) {
        byte[] file = files.get(name);
        String type = TYPES.get(name);
        return file == null || type == null
                ? ConsoleAnswer.nothing()
                : ConsoleAnswer.file(type, file, version.equals(this.version));
    }
}
