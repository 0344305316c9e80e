// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.admin.WaitingKey;
import java.util.List;

/**
 * The keys with the most held-back tasks among some keys of a shard.
 *
 * @param cursor the cursor for the next page; empty after the last
 */
public record WaitingKeysPage(String cursor, List<WaitingKey> keys) {}
