// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.Script.Answer.INTEGER;
import static io.delayqueue.internal.redis.Script.Answer.MULTI;
import static io.delayqueue.internal.redis.Script.Answer.VALUE;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The scripts. Each is read and hashed once, with its {@link Prelude}; its header declares its keys and arguments.
 * Reading the scripts does not need the driver, because {@link io.delayqueue.internal.redis.rights.RedisRights} must run
 * with only this jar.
 */
public enum Script {
    SCHEDULE(MULTI),
    POP_DUE(MULTI),
    POP_DUE_LIMITED(MULTI),
    KEY_LIMITS(MULTI),
    KEY_LIMITS_PAGE(MULTI),
    KEYS_WAITING(MULTI),
    SETTLE(MULTI),
    RENEW(MULTI),
    RECLAIM(MULTI),
    CANCEL(VALUE),
    RESCHEDULE(VALUE),
    UPDATE(VALUE),
    GROUP_COUNT(INTEGER),
    GROUP_PAGE(MULTI),
    GROUP_CHANGE(MULTI),
    TASK_PAGE(MULTI),
    DUE_COUNTS(MULTI),
    DUE_KINDS(MULTI),
    FIND(MULTI),
    HISTORY_PAGE(MULTI),
    HISTORY_ERASE(MULTI),
    STATS(MULTI),
    REDRIVE(MULTI),
    DISCARD(MULTI),
    TRIM_DEAD(MULTI),
    PAUSE(INTEGER),
    PURGE(MULTI),
    MIGRATION_SCAN(MULTI),
    MIGRATION_HOLD(MULTI),
    MIGRATION_TAKE_IN(INTEGER),
    MIGRATION_END(MULTI),
    TOKEN_RAISE(VALUE),
    SHARDING_SEEN(VALUE),
    NOOP_WRITE(INTEGER),
    SHARDING_PUT(MULTI),
    CLAIM(INTEGER),
    PACE(MULTI),
    RATE_TAKE(MULTI),
    RATES(MULTI),
    OPERATION_PUT(VALUE),
    OPERATION_STOP(INTEGER),
    OPERATIONS_READ(MULTI),
    QUEUES_NOTE(MULTI),
    AUDIT_PUT(INTEGER),
    AUDIT_PAGE(MULTI),
    PROBE(MULTI);

    /** Position of the argument {@code seen_at} of {@code reschedule}. */
    private static final int SEEN_AT_OF_RESCHEDULE = 6;

    private final Answer answer;
    private final ShardKey[] shardKeys;
    private final @Nullable CommonArgument[] commonArguments;
    private final byte[] source;
    private final String sha1;

    Script(Answer answer) {
        this.answer = answer;
        String text = read(fileName());
        ScriptHeader header = ScriptHeader.of(text);
        this.shardKeys = header.shardKeys();
        this.commonArguments = header.commonArguments();
        this.source =
                Shared.PRELUDE.before(header.declarations() + text + rest()).getBytes(StandardCharsets.UTF_8);
        try {
            this.sha1 =
                    HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(source));
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException("Every JVM has SHA-1", ex);
        }
    }

    /**
     * Returns whether the reply to a second run may replace a lost first reply. It may not for a cancel: a second run
     * finds no task, and NOT_FOUND would mean that the task was delivered or never existed. A second update may find a
     * started delivery, and a second acquire takes other tasks. Scripts that discard or redrive dead tasks, or that
     * return a count, also reply differently. A second reschedule that expects the task as it was finds it changed.
     * A second settlement finds no lease, which would mean that the first one had no effect.
     */
    boolean answersAgain(byte[][] args) {
        return switch (this) {
            case RESCHEDULE -> args[SEEN_AT_OF_RESCHEDULE].length == 0;
            case POP_DUE,
                    POP_DUE_LIMITED,
                    CANCEL,
                    UPDATE,
                    SETTLE,
                    PURGE,
                    DISCARD,
                    REDRIVE,
                    GROUP_CHANGE,
                    HISTORY_ERASE,
                    RATES,
                    RATE_TAKE,
                    AUDIT_PUT -> false;
            default -> true;
        };
    }

    /** Sends only the hash of the script, which the server may not know. */
    public <T> RedisFuture<T> byHash(RedisScriptingAsyncCommands<byte[], byte[]> on, byte[][] keys, byte[]... args) {
        return on.evalsha(sha1, answer.output(), keys, args);
    }

    public <T> RedisFuture<T> byText(RedisScriptingAsyncCommands<byte[], byte[]> on, byte[][] keys, byte[]... args) {
        return on.eval(source, answer.output(), keys, args);
    }

    /** Returns the keys of the script, in order, if they belong to a shard. */
    ShardKey[] shardKeys() {
        return shardKeys;
    }

    /**
     * Puts the arguments of a call in the order of the header.
     *
     * @param supplied returns the value of a common argument
     * @param own the other arguments, in order
     */
    public byte[][] arguments(Function<CommonArgument, byte[]> supplied, byte[]... own) {
        List<byte[]> all = new ArrayList<>(commonArguments.length + own.length);
        int next = 0;
        for (CommonArgument each : commonArguments) {
            all.add(each == null ? own[next++] : supplied.apply(each));
        }
        while (next < own.length) {
            all.add(own[next++]);
        }
        return all.toArray(byte[][]::new);
    }

    String fileName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the code to append to this script: both acquire scripts end with the same code. */
    private String rest() {
        return fileName().startsWith("pop_due") ? "\n" + Shared.ACQUIRE : "";
    }

    public byte[] source() {
        return source;
    }

    String sha1() {
        return sha1;
    }

    private static String read(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("The script " + name + ".lua is not in this jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException ex) {
            throw new UncheckedIOException("The script " + name + ".lua cannot be read", ex);
        }
    }

    /** Code that is read before the first script. */
    private static final class Shared {

        private static final Prelude PRELUDE = new Prelude(read("prelude"));
        private static final String ACQUIRE = read("acquire");
    }

    /** Types of replies, named as in the driver. */
    enum Answer {
        MULTI,
        VALUE,
        INTEGER;

        private ScriptOutputType output() {
            return ScriptOutputType.valueOf(name());
        }
    }
}
