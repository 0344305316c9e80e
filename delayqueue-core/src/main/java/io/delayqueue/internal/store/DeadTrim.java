// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;

/**
 * The dead tasks that a trim deleted.
 *
 * @param more whether there are more to delete now
 * @param ids their ids, oldest death first
 */
public record DeadTrim(boolean more, List<String> ids) {}
