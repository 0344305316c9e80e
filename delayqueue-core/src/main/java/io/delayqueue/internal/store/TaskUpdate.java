// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.EncodedPayload;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A change of a waiting task.
 *
 * @param payload the new payload; {@code null} to keep the stored one
 * @param headers headers to set, which may include the type and version of the payload; an empty value removes a header
 */
public record TaskUpdate(@Nullable EncodedPayload payload, Map<String, String> headers) {}
