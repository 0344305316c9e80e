// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.queue;

import io.delayqueue.InvalidTaskException;
import io.delayqueue.internal.input.PrintableText;
import java.util.regex.Pattern;

/** The valid form of queue names, which become part of Redis keys. */
public final class QueueNames {

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern PLAIN = Pattern.compile("[a-z0-9-]+");

    private QueueNames() {}

    public static String check(String name) {
        if (!FORM.matcher(name).matches()) {
            throw new InvalidTaskException("'" + PrintableText.of(name, 80)
                    + "' is not a valid queue name. Use 1 to 64 letters, digits, '.', '_' or '-', "
                    + "starting with a letter or a digit. Queues are configured under delayqueue.queues.<name>");
        }
        return name;
    }

    /** Returns the name of the property for a queue. Puts a name with dots in brackets. */
    public static String property(String name) {
        return "delayqueue.queues" + (PLAIN.matcher(name).matches() ? "." + name : "[" + name + "]");
    }
}
