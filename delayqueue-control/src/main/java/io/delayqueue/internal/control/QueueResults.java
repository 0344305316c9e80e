// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import java.util.List;
import java.util.Map;

/**
 * Results from several queues.
 *
 * @param found the results
 * @param unreadable queues whose data in Redis could not be read, with the error
 */
public record QueueResults<T>(List<T> found, Map<String, String> unreadable) {}
