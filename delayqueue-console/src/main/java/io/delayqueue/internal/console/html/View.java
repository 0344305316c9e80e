// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.html;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Names in a template and what they stand for: texts, numbers, true or false, other views and lists of them, and null for
 * nothing. Maps and no records, so that no template reaches for anything by reflection.
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
