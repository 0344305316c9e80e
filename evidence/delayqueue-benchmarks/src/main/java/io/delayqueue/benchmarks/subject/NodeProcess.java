// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.test.server.ProcessGuard;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A Node script in a separate process, and the communication with it: one line for each call, each reply and each
 * arrived task. If the process ends unexpectedly, the run is invalid, and this JVM ends.
 */
final class NodeProcess implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 120;

    private final Process process;
    private final Writer input;
    private final @Nullable Sink sink;
    private final AtomicLong lastCall = new AtomicLong();
    private final Map<Long, CompletableFuture<String>> calls = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** Starts the process with the heap size of the JVMs. */
    NodeProcess(String script, List<String> arguments, @Nullable Sink sink) {
        this.sink = sink;
        Path folder = Path.of(System.getProperty(Subjects.NODE_FOLDER));
        List<String> command = new ArrayList<>(List.of(
                "node", "--max-old-space-size=1024", folder.resolve(script).toString()));
        command.addAll(arguments);
        try {
            this.process =
                    ProcessGuard.start(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
        } catch (IOException ex) {
            throw new UncheckedIOException("Node could not be started", ex);
        }
        this.input = process.outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "node");
        reader.setDaemon(true);
        reader.start();
    }

    /** Makes a call, on any thread, and waits for the reply. */
    String call(String what) {
        long call = lastCall.incrementAndGet();
        CompletableFuture<String> answer = new CompletableFuture<>();
        calls.put(call, answer);
        try {
            synchronized (input) {
                input.append(String.valueOf(call))
                        .append(' ')
                        .append(what)
                        .append('\n')
                        .flush();
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        return answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                understand(line);
            }
        } catch (IOException ex) {
            if (!closed) {
                ex.printStackTrace();
            }
        }
        if (!closed) {
            System.err.println("Error: the process of Node ended");
            Runtime.getRuntime().halt(3);
        }
    }

    private void understand(String line) {
        String[] words = line.split(" ", 3);
        switch (words[0]) {
            case "@" -> {
                if (sink != null) {
                    sink.arrived(words[2], Long.parseLong(words[1]));
                }
            }
            case "=" -> answer(words[1]).complete(words[2]);
            case "!" -> answer(words[1]).completeExceptionally(new IllegalStateException(words[2]));
            default -> System.out.println(line);
        }
    }

    private CompletableFuture<String> answer(String call) {
        CompletableFuture<String> answer = calls.remove(Long.parseLong(call));
        if (answer == null) {
            throw new IllegalStateException("Received an unexpected answer to call " + call);
        }
        return answer;
    }

    /** Closes its input, which ends the process. */
    @Override
    public void close() {
        closed = true;
        try {
            input.close();
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException ex) {
            process.destroyForcibly();
        } catch (InterruptedException ex) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
