// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.string;

import io.delayqueue.TaskStoreException;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.redis.RedisErrors;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.Script;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what a Redis server lacks or its user may not do: commands, scripts, keys, and calls of the maximum size.
 * Makes the calls and checks the results, instead of relying on the server's description or error texts. A temporary
 * refusal, for example by a server that is full or loads its data, proves nothing.
 */
final class RedisProbe {

    /** The only command whose permission is granted by channel. */
    static final String PUBLISH = "PUBLISH";

    /** Number of tasks in the largest script call. */
    private static final int TASKS = 500;

    private static final int ARGUMENTS = 5;
    private static final String WHAT = "The check of the Redis server";
    private static final byte[] TRIVIAL = "return 1".getBytes(StandardCharsets.UTF_8);

    private final Master master;
    private final RedisKeys names;
    private final Duration timeout;
    private final byte[][] keys;
    private final byte[][] arguments = new byte[1 + TASKS * ARGUMENTS][];

    private RedisProbe(Master master, RedisKeys names, Duration timeout) {
        this.master = master;
        this.names = names;
        this.timeout = timeout;
        this.keys = new byte[][] {
            bytes(names.ofTag(master.tag(), "probe_text")),
            bytes(names.ofTag(master.tag(), "probe_hash")),
            bytes(names.ofTag(master.tag(), "probe_set"))
        };
        arguments[0] = bytes(names.wakeChannel(master.tag()));
        for (int i = 1; i < arguments.length; i++) {
            arguments[i] = bytes(i);
        }
    }

    /**
     * Returns the missing features of all masters, sorted. Blocks.
     *
     * @param names names of the keys to use; none of them remains
     * @param timeout maximum duration of each command
     * @param replicas whether calls will wait for replicas
     * @throws TaskStoreException if a server temporarily refuses every call, or does not answer
     */
    static List<String> missing(List<Master> masters, RedisKeys names, Duration timeout, boolean replicas) {
        TreeSet<String> missing = new TreeSet<>();
        for (Master master : masters) {
            String where = (master.address() == null) ? "" : " (on " + master.address() + ")";
            new RedisProbe(master, names, timeout).missing(replicas).forEach(feature -> missing.add(feature + where));
        }
        return List.copyOf(missing);
    }

    private List<String> missing(boolean replicas) {
        List<String> missing = new ArrayList<>();
        Answer probe = ask(Script.PROBE.byHash(master.commands(), keys, arguments));
        if (probe.isRefused()) {
            if (!probe.isUnknownScript()) {
                missing.add("EVALSHA");
            }
            probe = ask(Script.PROBE.byText(master.commands(), keys, arguments));
        }
        if (probe.isRefused()) {
            return List.of(whyNoScriptRuns());
        }
        if (ask(trivial(master.commands(), keys[0])).isRefused()) {
            missing.add("EVAL");
        }
        boolean allJudged = addFailed((List<?>) Objects.requireNonNull(probe.reply()), missing);
        // A server that temporarily refuses writes, such as a replica, does not accept WAIT either.
        if (replicas
                && allJudged
                && ask(master.server().waitForReplication(0, 1)).isRefused()) {
            missing.add("WAIT");
        }
        return missing;
    }

    /** Returns whether no command was temporarily refused. */
    private boolean addFailed(List<?> reply, List<String> missing) {
        if ((Long) reply.get(0) != arguments.length) {
            missing.add(largeCalls());
        }
        boolean allJudged = true;
        List<?> failed = (List<?>) reply.get(1);
        for (int i = 0; i < failed.size(); i += 2) {
            if (RedisErrors.isTransientReply(string(failed.get(i + 1)))) {
                allJudged = false;
            } else {
                String command = string(failed.get(i));
                missing.add(
                        command.equals(PUBLISH)
                                ? PUBLISH + " on the channels " + RedisKeys.channelPattern(names.prefix())
                                : command);
            }
        }
        return allJudged;
    }

    /** Tries smaller and smaller scripts until one runs, to find out why no script runs. */
    private String whyNoScriptRuns() {
        if (ask(trivial(master.server())).isRefused()) {
            return "EVAL";
        }
        return ask(trivial(master.commands(), keys[0])).isRefused()
                ? "the keys " + RedisKeys.keyPattern(names.prefix())
                : largeCalls();
    }

    private static CompletionStage<?> trivial(RedisClusterAsyncCommands<byte[], byte[]> on, byte[]... keys) {
        return on.eval(TRIVIAL, ScriptOutputType.INTEGER, keys, new byte[0][]);
    }

    private String largeCalls() {
        return "a script call with several keys and " + arguments.length + " arguments";
    }

    /** Waits for a reply, or for the error with which the server permanently refused the call. */
    private Answer ask(CompletionStage<?> call) {
        try {
            return new Answer(call.toCompletableFuture().get(timeout.toNanos(), TimeUnit.NANOSECONDS), null);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw RedisErrors.translate(WHAT, ex, false);
        } catch (TimeoutException ex) {
            throw RedisErrors.translate(WHAT, new RedisCommandTimeoutException("No answer in time"), false);
        } catch (ExecutionException ex) {
            Throwable cause = Causes.of(ex);
            if (isRefused(cause)) {
                return new Answer(null, cause);
            }
            throw RedisErrors.translate(WHAT, cause, false);
        }
    }

    /** Returns whether the server permanently refused a command. */
    static boolean isRefused(Throwable error) {
        for (Throwable each = error; each != null; each = each.getCause()) {
            if (each instanceof RedisCommandExecutionException) {
                return !RedisErrors.isTransientReply(String.valueOf(each.getMessage()));
            }
        }
        return false;
    }

    /** A reply, or the server's refusal. */
    private record Answer(@Nullable Object reply, @Nullable Throwable error) {

        boolean isRefused() {
            return error != null;
        }

        boolean isUnknownScript() {
            return error != null && RedisErrors.isNoScript(error);
        }
    }
}
