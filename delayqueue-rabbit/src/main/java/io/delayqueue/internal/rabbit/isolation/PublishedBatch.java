// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.isolation;

import io.delayqueue.internal.rabbit.confirm.ConfirmChannel;
import io.delayqueue.internal.rabbit.confirm.ConfirmTracker;
import io.delayqueue.internal.rabbit.confirm.Outgoing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch that awaits answers.
 *
 * @param start time when publishing started, by {@link System#nanoTime()}
 * @param again whether it is published again under the same lease
 * @param apart whether all its messages are for one address that may not answer
 */
public record PublishedBatch(
        List<Outgoing> batch,
        ConfirmChannel channel,
        ConfirmTracker tracker,
        long start,
        boolean again,
        boolean apart) {

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
