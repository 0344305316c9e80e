// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.admin.WaitingKey;
import java.util.List;

/**
 * A page of a shard's keys, reduced to those with the most held-back tasks.
 *
 * @param cursor the cursor for the next page; empty after the last
 */
public record WaitingKeysPage(String cursor, List<WaitingKey> keys) {}
