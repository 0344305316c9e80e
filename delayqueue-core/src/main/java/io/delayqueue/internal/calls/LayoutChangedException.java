// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.TaskStoreException;
import org.jspecify.annotations.Nullable;

/** The caller goes by an older layout of the queue than somebody before it. Nothing was changed. */
public class LayoutChangedException extends TaskStoreException {

    private final String layout;

    /** @param layout the newer layout, as stored */
    public LayoutChangedException(String message, String layout, @Nullable Throwable cause) {
        super(message, false, cause);
        this.layout = layout;
    }

    /** The newer layout, as stored. */
    public String layout() {
        return layout;
    }
}
