// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import net.bytebuddy.asm.Advice;

/** Where an attempt at a call is seen to have failed: the first task to be stored gets another id for the next one. */
final class RetriedUnderNewId {

    private RetriedUnderNewId() {}

    /** Copied into the method, so that it can use only what is public. */
    @Advice.OnMethodEnter
    static void failed(@Advice.FieldValue("script") Object script, @Advice.FieldValue("args") byte[][] arguments) {
        if (script.toString().equals("SCHEDULE")) {
            // The first policy is two behind the first id, however much stands before the tasks.
            Set<String> policies = Set.of("REPLACE", "KEEP", "EARLIEST", "LATEST", "DEBOUNCE", "THROTTLE");
            int id = 0;
            while (!policies.contains(new String(arguments[id + 2], StandardCharsets.UTF_8))) {
                id++;
            }
            byte[] other = Arrays.copyOf(arguments[id], arguments[id].length + 1);
            other[other.length - 1] = '~';
            arguments[id] = other;
        }
    }
}
