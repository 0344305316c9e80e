// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.html;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The values of a template by name: strings, numbers, booleans, other views, lists of these, or null for nothing. A map
 * instead of a record, so that templates need no reflection.
 */
public final class View extends LinkedHashMap<String, @Nullable Object> {

    public static View of(String name, @Nullable Object value) {
        return new View().with(name, value);
    }

    public View with(String name, @Nullable Object value) {
        put(name, value);
        return this;
    }
}
