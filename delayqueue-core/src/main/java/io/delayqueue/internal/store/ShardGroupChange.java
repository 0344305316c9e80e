// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;

/**
 * What a step has done.
 *
 * @param next the place from which others follow; empty if none do
 * @param changed how many live tasks were changed of which no delivery had begun
 * @param begun the ids of those of which one had
 * @param discarded how many dead tasks a cancel deleted
 */
public record ShardGroupChange(String next, long changed, List<String> begun, long discarded) {}
