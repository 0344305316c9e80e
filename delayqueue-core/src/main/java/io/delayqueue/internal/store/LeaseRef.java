// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * Identifies a lease.
 *
 * @param id the id of the task
 * @param token the fencing token of the lease
 */
public record LeaseRef(String id, long token) {}
