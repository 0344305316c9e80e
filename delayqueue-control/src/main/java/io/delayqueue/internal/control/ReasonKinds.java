// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import java.util.regex.Pattern;

/** Merges reasons that differ only in numbers, ids or quoted text into one kind. */
final class ReasonKinds {

    static final String NUMBER = "‹n›";

    static final String ID = "‹id›";

    static final String TEXT = "‹text›";

    private static final int LONGEST = 2000;
    private static final Pattern QUERY = Pattern.compile("(://\\S{0,500}?)\\?\\S+");
    private static final Pattern QUOTED = Pattern.compile("\"[^\"\\n]{1,500}\"|(?<![\\p{L}\\p{N}])'[^'\\n]{1,500}'");
    private static final Pattern UUIDS =
            Pattern.compile("(?i)\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b");
    private static final Pattern HEX =
            Pattern.compile("(?i)\\b(?:0x[0-9a-f]+|(?=[a-f]*\\d)(?=\\d*[a-f])[0-9a-f]{8,})\\b");
    private static final Pattern OWN_ID =
            Pattern.compile("(?i)\\b(order|task|id|customer|user|request)([ =:#]+)[\\w-]*\\d[\\w-]*");
    /**
     * A status code such as 404, which is not replaced. It has three digits and is at the start of a reason, or follows
     * a colon or "status".
     */
    private static final Pattern STATUS = Pattern.compile("(?:(?:^|: |status |HTTP |code )[1-5]\\d\\d)(?=$|[ :,;.)])");

    private static final Pattern NUMBERS =
            Pattern.compile("(?<![\\p{L}\\d._-])-?\\d+(?:[.,:]\\d+)*(?=ms\\b|s\\b|%|$|[^\\p{L}\\d-]|[.,])");

    private ReasonKinds() {}

    static String of(String reason) {
        String text = reason.length() > LONGEST ? reason.substring(0, LONGEST) : reason;
        text = QUERY.matcher(text).replaceAll("$1?" + TEXT);
        text = QUOTED.matcher(text).replaceAll(TEXT);
        text = UUIDS.matcher(text).replaceAll(ID);
        text = HEX.matcher(text).replaceAll(ID);
        text = OWN_ID.matcher(text).replaceAll("$1$2" + ID);
        return numbers(text);
    }

    private static String numbers(String text) {
        StringBuilder out = new StringBuilder();
        int done = 0;
        var status = STATUS.matcher(text);
        while (status.find()) {
            out.append(NUMBERS.matcher(text.substring(done, status.start())).replaceAll(NUMBER))
                    .append(status.group());
            done = status.end();
        }
        return out.append(NUMBERS.matcher(text.substring(done)).replaceAll(NUMBER))
                .toString();
    }
}
