// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.queue;

import io.delayqueue.InvalidQueueNameException;
import io.delayqueue.internal.input.PrintableText;
import java.util.regex.Pattern;

/** The form of queue names. They are part of Redis keys, so nothing else may pass. */
public final class QueueNames {

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern PLAIN = Pattern.compile("[a-z0-9-]+");

    private QueueNames() {}

    /** Returns the name, or throws {@link InvalidQueueNameException}. */
    public static String check(String name) {
        if (!FORM.matcher(name).matches()) {
            throw new InvalidQueueNameException("'" + PrintableText.of(name, 80)
                    + "' is no queue name. Use 1 to 64 letters, digits, '.', '_' or '-', beginning with a letter or a"
                    + " digit, as under delayqueue.queues.<name>");
        }
        return name;
    }

    /** The name of the property that holds a queue: brackets keep a dot from leading elsewhere. */
    public static String property(String name) {
        return "delayqueue.queues" + (PLAIN.matcher(name).matches() ? "." + name : "[" + name + "]");
    }
}
