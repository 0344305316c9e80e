// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What scripts share. Redis makes every function of a script anew at each call, so each script gets only those that it
 * uses.
 */
final class Prelude {

    private static final Pattern FUNCTION = Pattern.compile("^local function (\\w+)", Pattern.MULTILINE);

    private Prelude() {}

    /**
     * Puts in front of a script what it uses.
     *
     * @param prelude constants, then functions: each a paragraph, using only those above it
     */
    static String before(String script, String prelude) {
        List<String> paragraphs = List.of(prelude.split("\\R{2,}"));
        String source = script;
        for (int i = paragraphs.size() - 1; i >= 0; i--) {
            Matcher function = FUNCTION.matcher(paragraphs.get(i));
            if (!function.find() || uses(source, function.group(1))) {
                source = paragraphs.get(i).strip() + "\n\n" + source;
            }
        }
        return source;
    }

    private static boolean uses(String source, String function) {
        return Pattern.compile("\\b" + function + "\\(").matcher(source).find();
    }
}
