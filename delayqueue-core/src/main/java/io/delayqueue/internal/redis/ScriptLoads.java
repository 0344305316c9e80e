// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Which scripts are being sent to one server with their text. A server that has lost its scripts refuses all calls that
 * are on their way: one of them sends the text, the others wait for it and are then sent by their hash again. Safe for
 * use by many threads.
 */
final class ScriptLoads {

    private final Load[] loads = new Load[Script.values().length];

    ScriptLoads() {
        for (int script = 0; script < loads.length; script++) {
            loads[script] = new Load();
        }
    }

    Load of(Script script) {
        return loads[script.ordinal()];
    }

    /** Of one script. */
    static final class Load {

        private volatile int count;
        private @Nullable CompletableFuture<Void> underWay;

        /** How often the text has reached the server: to be asked before a call is sent by its hash. */
        int count() {
            return count;
        }

        /**
         * For a call that was refused: may be sent by its hash again when the future ends.
         *
         * @param before the {@link #count} before it was sent
         */
        synchronized Turn next(int before) {
            if (count != before) {
                return new Turn(CompletableFuture.completedFuture(null), false);
            }
            boolean mine = underWay == null;
            CompletableFuture<Void> end = (underWay == null) ? new CompletableFuture<>() : underWay;
            underWay = end;
            return new Turn(end, mine);
        }

        /** The one whose turn it was has its answer, or will have none. */
        void ended(Turn turn, boolean reached) {
            synchronized (this) {
                if (underWay != turn.end()) {
                    return;
                }
                underWay = null;
                if (reached) {
                    count = count + 1;
                }
            }
            turn.end().complete(null);
        }
    }

    /**
     * Whose call sends the text.
     *
     * @param end of that
     * @param mine whether it is the caller's
     */
    record Turn(CompletableFuture<Void> end, boolean mine) {}
}
