// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;

/** Gives the first task of a call another id after a failed attempt. */
final class RetriedUnderNewId {

    private RetriedUnderNewId() {}

    /** The code to copy into the method, so it can use only public code. */
    @Advice.OnMethodEnter
    static void failed(@Advice.FieldValue(value = "request", typing = Assigner.Typing.DYNAMIC) Object request)
            throws ReflectiveOperationException {
        Method script = request.getClass().getDeclaredMethod("script");
        script.setAccessible(true);
        Method args = request.getClass().getDeclaredMethod("args");
        args.setAccessible(true);
        if (script.invoke(request).toString().equals("SCHEDULE")) {
            byte[][] arguments = (byte[][]) args.invoke(request);
            // The first policy is two places after the first id, regardless of what precedes the tasks.
            Set<String> policies = Set.of("REPLACE", "KEEP", "KEEP_EARLIER", "KEEP_LATER", "DEBOUNCE", "THROTTLE");
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
