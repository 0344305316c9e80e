// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.Due;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What to do with the live tasks of a group.
 *
 * @param verb what
 * @param due with {@link Verb#DUE} the due time
 * @param shift with {@link Verb#SHIFT} by how much, in whole milliseconds; negative for sooner
 * @param step names a step of a shift, which has its effect once however often it is sent within ten minutes; or empty
 */
public record GroupChange(Verb verb, @Nullable Due due, Duration shift, String step) {

    /** What is done. */
    public enum Verb {
        CANCEL,
        DUE,
        SHIFT
    }

    public static GroupChange cancel() {
        return new GroupChange(Verb.CANCEL, null, Duration.ZERO, "");
    }

    public static GroupChange due(Due due) {
        return new GroupChange(Verb.DUE, due, Duration.ZERO, "");
    }

    public static GroupChange shift(Duration by, String step) {
        return new GroupChange(Verb.SHIFT, null, by, step);
    }
}
