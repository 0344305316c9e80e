// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.EncodedPayload;
import io.delayqueue.FoundTask;
import org.jspecify.annotations.Nullable;

/**
 * Strategy that formats payloads for callers with {@link QueuePermission#PAYLOAD}. Without a bean of this type, no
 * payload is shown. An implementation may omit or mask parts of a payload, and must be thread-safe. If it throws, the
 * payload is not shown, and the log names the exception without its message, which may quote the payload.
 */
@FunctionalInterface
public interface PayloadFormatter {

    /** Returns the text to show, or null for none. */
    @Nullable
    String format(FoundTask<EncodedPayload> task);
}
