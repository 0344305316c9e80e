// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * Names a lease.
 *
 * @param id the task
 * @param token the fencing token it was acquired under
 */
public record LeaseRef(String id, long token) {}
