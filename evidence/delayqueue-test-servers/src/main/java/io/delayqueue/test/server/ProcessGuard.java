// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.io.IOException;
import java.util.List;

/**
 * Ends processes that would outlive this JVM. A shell in a separate session waits for the end of a pipe that only this
 * JVM holds open, and then kills the process. This works even if this JVM is killed or the process is frozen.
 */
public final class ProcessGuard {

    private static final String SCRIPT = "read -r _; kill -9 \"$1\" 2>/dev/null";

    private ProcessGuard() {}

    /** Starts a process that ends with this JVM at the latest. */
    public static Process start(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        try {
            Process shell = new ProcessBuilder(ServerProcess.inOwnSession(
                            List.of("sh", "-c", SCRIPT, "delayqueue-guard", String.valueOf(process.pid()))))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.onExit().thenRun(shell::destroyForcibly);
            return process;
        } catch (IOException ex) {
            process.destroyForcibly();
            throw ex;
        }
    }
}
