// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.string;

import io.delayqueue.TaskStoreException;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.redis.RedisErrors;
import io.delayqueue.internal.redis.Script;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tries the library's commands on a server. Ignores temporary refusals, for example if the server is full or is loading
 * its data.
 */
final class RedisProbe {

    /** Number of tasks in the largest script call. */
    private static final int TASKS = 500;

    private static final int ARGUMENTS = 5;

    /** The only command whose permission is granted per channel. */
    static final String PUBLISH = "PUBLISH";

    static final String WHAT = "The check of the Redis server";
    private static final byte[] TRIVIAL = "return 1".getBytes(StandardCharsets.UTF_8);
    private static final byte[][] NOTHING = {};

    private final RedisClusterAsyncCommands<byte[], byte[]> commands;
    private final Supplier<RedisClusterAsyncCommands<byte[], byte[]>> server;
    private final Duration timeout;

    /**
     * @param commands commands that are routed by key
     * @param server connection for calls without keys, which the driver could otherwise send to any node, including
     *     replicas
     */
    RedisProbe(
            RedisClusterAsyncCommands<byte[], byte[]> commands,
            Supplier<RedisClusterAsyncCommands<byte[], byte[]>> server,
            Duration timeout) {
        this.commands = commands;
        this.server = server;
        this.timeout = timeout;
    }

    private static byte[][] arguments(ProbeKeys keys) {
        byte[][] arguments = new byte[1 + TASKS * ARGUMENTS][];
        arguments[0] = keys.channel();
        for (int i = 1; i < arguments.length; i++) {
            arguments[i] = bytes(i);
        }
        return arguments;
    }

    /** @throws TaskStoreException if the server temporarily refuses every call, or does not answer */
    List<String> missing(ProbeKeys keys, boolean replicas) {
        Call wait = replicas ? begin(() -> server.get().waitForReplication(0, 1)) : null;
        Call trivial = begin(() -> trivial(commands, keys.keys()[0]));
        Answer probe = begin(() -> Script.PROBE.byHash(commands, keys.keys(), arguments(keys)))
                .answer();
        List<String> missing = new ArrayList<>();
        if (probe.isNoScript()) {
            probe = begin(() -> byText(keys)).answer();
        } else if (probe.isRefused()) {
            missing.add("EVALSHA");
            probe = begin(() -> byText(keys)).answer();
        }
        if (probe.isRefused()) {
            return List.of(whyNoScriptRuns(keys));
        }
        if (trivial.answer().isRefused()) {
            missing.add("EVAL");
        }
        boolean allJudged = addFailed(probe.reply(), keys, missing);
        // a server that temporarily refuses writes, such as a replica, also refuses WAIT
        if (wait != null && wait.answer().isRefused() && allJudged) {
            missing.add("WAIT");
        }
        return missing;
    }

    private CompletionStage<?> byText(ProbeKeys keys) {
        return Script.PROBE.byText(commands, keys.keys(), arguments(keys));
    }

    private static CompletionStage<?> trivial(RedisScriptingAsyncCommands<byte[], byte[]> on, byte[]... keys) {
        return on.eval(TRIVIAL, ScriptOutputType.INTEGER, keys, NOTHING);
    }

    /** Returns whether no command was temporarily refused. */
    private static boolean addFailed(@Nullable Object reply, ProbeKeys keys, List<String> missing) {
        List<?> parts = (List<?>) Objects.requireNonNull(reply);
        if (((Long) parts.get(0)) != 1 + TASKS * ARGUMENTS) {
            missing.add(largeCalls());
        }
        boolean allJudged = true;
        List<?> failed = (List<?>) parts.get(1);
        for (int i = 0; i < failed.size(); i += 2) {
            if (RedisErrors.isTransientReply(string(failed.get(i + 1)))) {
                allJudged = false;
            } else {
                String command = string(failed.get(i));
                missing.add(command.equals(PUBLISH) ? PUBLISH + " on the channels " + keys.channels() : command);
            }
        }
        return allJudged;
    }

    /** Tries smaller and smaller scripts to find the reason why no script runs. */
    private String whyNoScriptRuns(ProbeKeys keys) {
        RedisScriptingAsyncCommands<byte[], byte[]> on = server.get();
        if (begin(() -> trivial(on)).answer().isRefused()) {
            return "EVAL";
        }
        if (begin(() -> trivial(commands, keys.keys()[0])).answer().isRefused()) {
            return "the keys " + keys.pattern();
        }
        return largeCalls();
    }

    private static String largeCalls() {
        return "a script call with several keys and " + (1 + TASKS * ARGUMENTS) + " arguments";
    }

    /** A reply, or the server's error. */
    private record Answer(@Nullable Object reply, @Nullable Throwable error) {

        boolean isRefused() {
            return error != null;
        }

        boolean isNoScript() {
            return error != null && RedisErrors.isNoScript(error);
        }
    }

    private Call begin(Supplier<? extends CompletionStage<?>> command) {
        try {
            return new Call(command.get().toCompletableFuture());
        } catch (RuntimeException ex) {
            throw RedisErrors.translate(WHAT, ex, false);
        }
    }

    /** A command that was sent. */
    private final class Call {

        private final CompletableFuture<?> future;

        Call(CompletableFuture<?> future) {
            this.future = future;
        }

        Answer answer() {
            try {
                return new Answer(future.get(timeout.toNanos(), TimeUnit.NANOSECONDS), null);
            } catch (ExecutionException ex) {
                Throwable cause = Causes.of(ex);
                if (cause instanceof RedisCommandExecutionException
                        && !RedisErrors.isTransientReply(String.valueOf(cause.getMessage()))) {
                    return new Answer(null, cause);
                }
                throw RedisErrors.translate(WHAT, cause, false);
            } catch (TimeoutException ex) {
                throw RedisErrors.translate(WHAT, new RedisCommandTimeoutException("No answer in time"), false);
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
                throw new TaskStoreException(WHAT + ": interrupted", false, ex);
            }
        }
    }
}
