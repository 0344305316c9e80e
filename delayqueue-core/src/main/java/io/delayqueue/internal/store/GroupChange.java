// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.Due;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A change of the live tasks of a group.
 *
 * @param due the due time for {@link Verb#DUE}
 * @param shift the duration for {@link Verb#SHIFT}, in whole milliseconds; negative for earlier
 * @param step name of this step of a shift; empty for any other change. The store ignores a step that it has run within
 *     the last ten minutes
 */
public record GroupChange(Verb verb, @Nullable Due due, Duration shift, String step) {

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
