// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A replacement of text in a script.
 *
 * @param script name of the script, without the file extension
 * @param text the text, which occurs exactly once
 * @param instead the replacement
 */
record ScriptMutation(String script, String text, String instead) implements Mutation {

    private static final String FOLDER = "io/delayqueue/internal/redis/";

    @Override
    public void writeTo(Path folder) throws IOException {
        String file = FOLDER + script + ".lua";
        String real = real(file);
        int first = real.indexOf(text);
        if (first < 0 || real.indexOf(text, first + 1) >= 0) {
            throw new IllegalStateException(file + " does not have exactly once: " + text);
        }
        Path changed = folder.resolve(file);
        Files.createDirectories(changed.getParent());
        Files.writeString(changed, real.replace(text, instead));
    }

    private static String real(String file) throws IOException {
        try (InputStream in = ScriptMutation.class.getClassLoader().getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("There is no " + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
