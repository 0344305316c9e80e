// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import org.junit.jupiter.api.Nested;

/**
 * The contracts that rest on the texts of errors, on the oldest server supported: it alone wraps what a command in a
 * script answers, such as {@code OOM}, {@code WRONGTYPE} and {@code READONLY}, in an {@code ERR Error running script}.
 * All contracts on that server are in {@link RedisTaskStore62IntegrationTests}.
 */
class RedisErrors62IntegrationTests {

    @Nested
    class FullMemory extends FullMemoryContract {
        FullMemory() {
            super(RedisBinary.EMBEDDED_6_2);
        }
    }

    @Nested
    class Damage extends DamageContract {
        Damage() {
            super(RedisBinary.EMBEDDED_6_2);
        }
    }

    @Nested
    class Demotion extends DemotionContract {
        Demotion() {
            super(RedisBinary.EMBEDDED_6_2);
        }
    }

    @Nested
    class LostScripts extends LostScriptsContract {
        LostScripts() {
            super(RedisBinary.EMBEDDED_6_2);
        }
    }
}
