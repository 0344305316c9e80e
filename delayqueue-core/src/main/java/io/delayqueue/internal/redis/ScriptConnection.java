// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import java.util.concurrent.CompletionStage;

/** A connection that scripts are sent on. */
interface ScriptConnection {

    /**
     * Sends a call by {@link ScriptCall#dispatch}, now or in the next round.
     *
     * @param text whether the server needs the script's text
     */
    <T> CompletionStage<T> send(ScriptCall<T> call, boolean text);

    /** Replaces this connection if, by this failure, it will not do better the next time. */
    void replaceAfter(Throwable failure);
}
