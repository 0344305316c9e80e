// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import java.util.concurrent.CompletionStage;

/** A connection for scripts. */
interface ScriptConnection {

    /**
     * Sends a call by {@link ScriptCall#dispatch}, now or in the next round.
     *
     * @param text whether the server needs the script's source
     */
    <T> CompletionStage<T> send(ScriptCall<T> call, boolean text);

    /** Replaces this connection if the failure shows that it will not recover. */
    void replaceAfter(Throwable failure);
}
