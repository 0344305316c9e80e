// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.schema;

import java.util.regex.Pattern;

/** The names of the tables. */
public record TableNames(String prefix) {

    /** The prefix in the scripts. */
    public static final String DEFAULT_PREFIX = "delayqueue_";

    private static final Pattern FORM = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,29}");

    /** The names in the scripts. */
    public static final TableNames DEFAULT = new TableNames(DEFAULT_PREFIX);

    /** Returns whether this is a valid prefix. */
    public static boolean isPrefix(String prefix) {
        return FORM.matcher(prefix).matches();
    }

    public String schemaVersion() {
        return prefix + "schema_version";
    }

    public String outbox() {
        return prefix + "outbox";
    }

    public String rejected() {
        return prefix + "outbox_rejected";
    }

    public String inbox() {
        return prefix + "inbox";
    }
}
