// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.calls.LayoutChangedException;

/**
 * The layout of a queue that a caller goes by when it says that a task is to be in this shard or is not. A shard
 * remembers the newest one and refuses older ones with {@link LayoutChangedException}.
 *
 * @param text the layout in its stored form; empty for none
 */
public record LayoutVersion(String text) {

    /** For calls that go by no layout: whatever the shard remembers, it answers. */
    public static final LayoutVersion NONE = new LayoutVersion("");
}
