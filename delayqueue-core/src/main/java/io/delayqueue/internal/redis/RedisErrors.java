// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.DelayQueueException;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.TaskStoreBusyException;
import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreFullException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.internal.calls.NewerTaskException;
import io.delayqueue.internal.calls.ShardingChangedException;
import io.delayqueue.internal.calls.TaskMigratingException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.cluster.PartitionException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Classifies the failures of calls to Redis and creates their exceptions. */
public final class RedisErrors {

    /**
     * Replies that mean "not now": nothing ran, and a retry may succeed. The driver follows redirections in a cluster,
     * up to a limit; a redirection that arrives here exceeded the limit while the cluster changed.
     */
    private static final List<String> TRANSIENT = List.of(
            "LOADING",
            "TRYAGAIN",
            "CLUSTERDOWN",
            "MOVED",
            "ASK",
            "MASTERDOWN",
            "READONLY",
            "BUSY",
            "NOREPLICAS",
            "MISCONF");

    /**
     * Messages of the driver when its limit of waiting commands is reached. They differ by stage: with or without a
     * connection, before flushing, and before encoding.
     */
    private static final List<String> OVERFLOWS =
            List.of("Request queue size exceeded", "Command buffer size exceeded", "Internal stack size exceeded");

    /** Replies to the credentials of a new connection. */
    private static final List<String> SIGN_IN = List.of("WRONGPASS", "NOAUTH", "ERR invalid password");

    private static final String SCRIPT_6_2 = "ERR Error running script";

    private static final List<String> FORBIDDEN_IN_SCRIPT =
            List.of("The user executing the script can't", "ACL failure in script");

    private RedisErrors() {}

    public static boolean isNoScript(Throwable error) {
        return error instanceof RedisNoScriptException || replyHas(error, "NOSCRIPT");
    }

    /**
     * Returns whether the server is now a replica, or a master that its replicas have left, possibly for a new master.
     */
    static boolean isReplacedMaster(Throwable error) {
        return replyHas(error, "READONLY") || replyHas(error, "NOREPLICAS");
    }

    /** Returns whether the server replied that it did not run the call and may run it later. */
    static boolean isTransientReply(Throwable error) {
        return TRANSIENT.stream().anyMatch(code -> replyHas(error, code));
    }

    /**
     * Returns whether the reply of a command in a script means "not now" or "out of memory". Checks its code, which is
     * at the beginning or after a position.
     */
    public static boolean isTransientReply(String reply) {
        return Arrays.stream(reply.split("\\s+"))
                .map(word -> word.startsWith("-") ? word.substring(1) : word)
                .anyMatch(word -> word.equals("OOM") || TRANSIENT.contains(word));
    }

    /** Returns whether the server became a replica during the call, with or without waiting for its replicas. */
    static boolean isDemotion(Throwable error) {
        return replyHas(error, "UNBLOCKED") || replyHas(error, "ERR WAIT cannot be used with replica");
    }

    /** Returns whether the called node does not serve the key, or no longer does. */
    static boolean isRedirection(Throwable error) {
        return replyHas(error, "MOVED") || replyHas(error, "ASK");
    }

    /**
     * Returns whether the server replied that the user lacks a permission, directly or within a script, in the wording
     * of Redis 6.2, 7.0 or 7.2.
     */
    public static boolean isForbidden(Throwable error) {
        return replyHas(error, "NOPERM")
                || (error instanceof RedisCommandExecutionException
                        && FORBIDDEN_IN_SCRIPT.stream().anyMatch(String.valueOf(error.getMessage())::contains));
    }

    /** Returns whether the connection was permanently closed before the call, so that another one is needed. */
    static boolean isClosed(Throwable error) {
        return "Connection is closed".equals(error.getMessage());
    }

    /** Returns an exception with the driver's own message for a full queue. */
    static RedisException queueFull(int size) {
        return new RedisException(
                OVERFLOWS.get(0) + ": " + size + ". Commands are not accepted until the queue size drops.");
    }

    /**
     * Returns whether the command was not sent because too many commands wait for replies. The server may be healthy.
     */
    static boolean isOverflow(Throwable error) {
        return !(error instanceof RedisCommandExecutionException)
                && OVERFLOWS.stream().anyMatch(String.valueOf(error.getMessage())::startsWith);
    }

    /** Returns whether the call never left this process. */
    public static boolean isNotSent(Throwable error) {
        if (error instanceof RedisConnectionException || error instanceof PartitionException || isClosed(error)) {
            return true;
        }
        String message = String.valueOf(error.getMessage());
        if (error instanceof RedisCommandTimeoutException) {
            // The handshake failed, for example because the server does not use TLS or hangs.
            return message.startsWith("Connection initialization timed out");
        }
        return message.startsWith("Currently not connected") || isOverflow(error);
    }

    /** Returns whether the connection broke during the call, so that it is unknown whether it ran. */
    static boolean isConnectionLost(Throwable error) {
        return !(error instanceof DelayQueueException)
                && !(error instanceof RedisCommandExecutionException)
                && !(error instanceof RedisCommandTimeoutException)
                && !isNotSent(error);
    }

    /** Returns whether the server refused a command, so that a repeated one cannot help. */
    static boolean isRefusal(Throwable error) {
        return error instanceof RedisCommandExecutionException && !isTransientReply(error) && !isDemotion(error);
    }

    /** Returns whether a call with this failure may have run. */
    static boolean mayHaveRun(Throwable error) {
        return translate("A call", error, false) instanceof TaskStoreException failure && failure.mayHaveBeenApplied();
    }

    public static DelayQueueException translate(String what, Throwable error, boolean mayHaveRunBefore) {
        if (error instanceof DelayQueueException known) {
            return known;
        }
        if (error instanceof RedisCommandTimeoutException && !isNotSent(error)) {
            return new TaskStoreTimeoutException(
                    what + ": Redis did not answer in time (delayqueue.redis.command-timeout); the call may or may not"
                            + " have run",
                    true,
                    error);
        }
        if (error instanceof RedisCommandExecutionException) {
            return translateReply(what, error, mayHaveRunBefore);
        }
        if (error instanceof ReplicasUnknownException unknown) {
            return replicasUnknown(what, unknown);
        }
        boolean notSent = isNotSent(error) && !mayHaveRunBefore;
        if (isOverflow(error)) {
            return new TaskStoreBusyException(
                    what + ": too many calls are in progress on one connection "
                            + "(delayqueue.redis.request-queue-size)"
                            + (notSent ? "; nothing was sent" : "; an earlier attempt of the call may have run")
                            + ". Make fewer concurrent calls",
                    !notSent,
                    error);
        }
        return new TaskStoreUnavailableException(
                what + ": " + Objects.requireNonNullElse(refusedSignIn(error), "Redis cannot be reached")
                        + (notSent ? "; nothing was sent" : "; the call may or may not have run"),
                !notSent,
                error);
    }

    /** Returns the reply with which the server refuses the credentials; null for any other failure. */
    static @Nullable String refusedSignIn(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (SIGN_IN.stream().anyMatch(String.valueOf(cause.getMessage())::startsWith)) {
                return "Redis refuses the user name or the password of the delay queues (delayqueue.redis.* or"
                        + " spring.data.redis.*). Redis replied: " + firstLine(cause);
            }
        }
        return null;
    }

    private static DelayQueueException replicasUnknown(String what, ReplicasUnknownException unknown) {
        return new TaskStoreUnavailableException(
                what + ": the call has run, but "
                        + (unknown.reason() instanceof RedisCommandExecutionException
                                ? "Redis cannot report at present which replicas have confirmed it: "
                                        + firstLine(unknown.reason())
                                : "the connection to Redis broke before the replicas were counted")
                        + ". Repeat the call",
                true,
                unknown);
    }

    private static DelayQueueException translateReply(String what, Throwable error, boolean mayHaveRunBefore) {
        if (replyHas(error, "OOM")) {
            return new TaskStoreFullException(
                    what + ": Redis has reached its maxmemory and stored nothing. Free memory or raise maxmemory; due"
                            + " tasks are still delivered",
                    mayHaveRunBefore,
                    error);
        }
        if (replyHas(error, "SHARDING")) {
            return shardingChanged(what, error);
        }
        if (replyHas(error, "MIGRATING")) {
            return new TaskMigratingException(
                    what + ": the task is migrating to another shard; nothing was changed. Repeat the call", error);
        }
        if (replyHas(error, "DUETIME")) {
            return new InvalidTaskException(what + ": the due time is after the year 9999");
        }
        if (replyHas(error, "HEADERS")) {
            return new InvalidTaskException(
                    what + ": with this update, the headers of the task would have more bytes than"
                            + " allowed (delayqueue.max-header-size); nothing was changed. Remove some headers");
        }
        if (replyHas(error, "WRONGTYPE")) {
            return new TaskStoreCorruptException(
                    what + ": a key of this shard has an unexpected type; nothing was changed. See "
                            + "docs/design/redis-data-model.md for the types, and check whether another program "
                            + "uses the prefix (delayqueue.key-prefix)",
                    mayHaveRunBefore,
                    error);
        }
        if (replyHas(error, "NEWER")) {
            return new NewerTaskException(
                    what + ": a newer version of this library wrote this task's records; nothing was changed. Make the"
                            + " call with that version",
                    mayHaveRunBefore,
                    error);
        }
        if (isForbidden(error)) {
            return new TaskStoreException(
                    what
                            + ": the Redis user lacks a permission, or uses another "
                            + "delayqueue.key-prefix than it was created for. Grant the permissions "
                            + "listed in docs/security.md. Reply of Redis: " + firstLine(error),
                    mayHaveRunBefore,
                    error);
        }
        if (isTransientReply(error)) {
            return new TaskStoreUnavailableException(
                    what + ": Redis temporarily refused the call: " + firstLine(error), mayHaveRunBefore, error);
        }
        return new TaskStoreException(what + ": Redis refused the call: " + firstLine(error), mayHaveRunBefore, error);
    }

    private static DelayQueueException shardingChanged(String what, Throwable error) {
        String message = String.valueOf(error.getMessage());
        String sharding = message.substring(message.indexOf("SHARDING ") + "SHARDING ".length());
        return new ShardingChangedException(
                what + ": the number of shards of the queue has changed; nothing was changed", sharding, error);
    }

    /**
     * Returns whether a reply has this code. In Redis 7, the reply starts with the code of the command that failed in
     * the script. In Redis 6.2, the code follows "ERR Error running script (...): ...: ", sometimes after a dash.
     */
    private static boolean replyHas(Throwable error, String code) {
        if (!(error instanceof RedisCommandExecutionException)) {
            return false;
        }
        String message = String.valueOf(error.getMessage());
        return message.startsWith(code + " ")
                || message.equals(code)
                || (message.startsWith(SCRIPT_6_2)
                        && (message.contains(": " + code + " ") || message.contains(": -" + code + " ")));
    }

    static String firstLine(Throwable error) {
        String message = String.valueOf(error.getMessage());
        return io.delayqueue.internal.input.PrintableText.of(
                message.lines().findFirst().orElse(""), 200);
    }
}
