// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * What is recorded as the layout of a queue.
 *
 * @param recorded whether the call recorded it
 * @param text the layout in its stored form; empty if none is recorded
 */
public record LayoutRecord(boolean recorded, String text) {}
