// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.EncodedPayload;
import io.delayqueue.FoundTask;
import org.jspecify.annotations.Nullable;

/**
 * Shows payloads to people who may see them ({@link QueuePermission#PAYLOAD}). Without a bean of this type nobody sees any.
 * It may leave out or mask what even they should not see. It is called by many threads; where it throws, the payload is not
 * shown, and the log says why without the exception's message, which may quote it.
 */
@FunctionalInterface
public interface PayloadFormatter {

    /** The text to show; null for none. */
    @Nullable
    String format(FoundTask<EncodedPayload> task);
}
