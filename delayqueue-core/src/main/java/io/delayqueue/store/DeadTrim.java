// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.store;

import java.util.List;

/**
 * Dead tasks that a trim deleted.
 *
 * @param aged how many for their age
 * @param overCap how many because there were more than the cap
 * @param more whether there is more to delete now
 * @param ids all of them, the longest dead first
 */
public record DeadTrim(int aged, int overCap, boolean more, List<String> ids) {}
