// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * An operation as it was noted.
 *
 * @param runner the process that runs it; empty where none does
 * @param alive whether that was heard of lately
 * @param version changes with every note
 * @param content what its runner noted
 */
public record StoredOperation(String handle, String runner, boolean alive, String version, String content) {}
