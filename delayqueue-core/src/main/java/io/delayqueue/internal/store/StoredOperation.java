// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * An operation as recorded.
 *
 * @param runner the process that runs it; empty for none
 * @param alive whether that process has recorded anything recently
 * @param version that changes with every record
 * @param content its progress, in the runner's own format
 */
public record StoredOperation(String handle, String runner, boolean alive, String version, String content) {}
