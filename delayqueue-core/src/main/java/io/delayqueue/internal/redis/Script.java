// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.Script.Answer.INTEGER;
import static io.delayqueue.internal.redis.Script.Answer.MULTI;
import static io.delayqueue.internal.redis.Script.Answer.VALUE;
import static io.delayqueue.internal.redis.ShardKey.ATTEMPTS;
import static io.delayqueue.internal.redis.ShardKey.CATCHUP;
import static io.delayqueue.internal.redis.ShardKey.DEAD;
import static io.delayqueue.internal.redis.ShardKey.GROUPS;
import static io.delayqueue.internal.redis.ShardKey.HISTORY;
import static io.delayqueue.internal.redis.ShardKey.HOLDS;
import static io.delayqueue.internal.redis.ShardKey.INDEX;
import static io.delayqueue.internal.redis.ShardKey.KEYLIMITS;
import static io.delayqueue.internal.redis.ShardKey.LEASES;
import static io.delayqueue.internal.redis.ShardKey.NOOP;
import static io.delayqueue.internal.redis.ShardKey.PAUSED;
import static io.delayqueue.internal.redis.ShardKey.RUNNING;
import static io.delayqueue.internal.redis.ShardKey.SHARDING;
import static io.delayqueue.internal.redis.ShardKey.SHIFT;
import static io.delayqueue.internal.redis.ShardKey.TASKS;
import static io.delayqueue.internal.redis.ShardKey.TAT;
import static io.delayqueue.internal.redis.ShardKey.TOKEN;
import static io.delayqueue.internal.redis.ShardKey.TURNS;
import static io.delayqueue.internal.redis.ShardKey.WAITING;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The scripts, each with its {@link Prelude}, read and hashed once. Their headers describe arguments and replies. They
 * can be read without the driver, which is only needed to send them, because
 * {@link io.delayqueue.internal.redis.check.RedisRights} must run with this jar alone.
 */
public enum Script {
    SCHEDULE(MULTI, INDEX, TASKS, LEASES, ATTEMPTS, DEAD, HOLDS, SHARDING, TOKEN, GROUPS),
    POP_DUE(
            MULTI, INDEX, TASKS, LEASES, ATTEMPTS, DEAD, TOKEN, PAUSED, CATCHUP, HOLDS, HISTORY, GROUPS, TURNS,
            KEYLIMITS),
    POP_DUE_LIMITED(
            MULTI, INDEX, TASKS, LEASES, ATTEMPTS, DEAD, TOKEN, PAUSED, CATCHUP, HOLDS, HISTORY, GROUPS, WAITING, TURNS,
            TAT, RUNNING, KEYLIMITS),
    KEY_LIMITS(MULTI, LEASES, SHARDING, TURNS, KEYLIMITS),
    KEY_LIMITS_PAGE(MULTI, LEASES, SHARDING, KEYLIMITS),
    KEYS_WAITING(MULTI, WAITING, TURNS),
    SETTLE(MULTI, INDEX, TASKS, LEASES, ATTEMPTS, DEAD, HISTORY, GROUPS, TURNS, RUNNING),
    RELEASE(MULTI, INDEX, LEASES, TURNS, RUNNING),
    RENEW(MULTI, INDEX, LEASES),
    RECLAIM(MULTI, INDEX, LEASES),
    CANCEL(VALUE, INDEX, TASKS, LEASES, ATTEMPTS, DEAD, HOLDS, SHARDING, HISTORY, GROUPS),
    RESCHEDULE(VALUE, INDEX, TASKS, LEASES, ATTEMPTS, HOLDS, SHARDING, HISTORY),
    UPDATE(VALUE, INDEX, TASKS, LEASES, ATTEMPTS, HOLDS, SHARDING),
    GROUP_COUNT(INTEGER, LEASES, SHARDING, GROUPS),
    GROUP_PAGE(MULTI, INDEX, LEASES, ATTEMPTS, DEAD, SHARDING, GROUPS),
    GROUP_CHANGE(MULTI, INDEX, TASKS, LEASES, ATTEMPTS, DEAD, HOLDS, SHARDING, GROUPS, SHIFT, HISTORY),
    TASK_PAGE(MULTI, INDEX, TASKS, LEASES, ATTEMPTS, DEAD),
    DUE_COUNTS(MULTI, INDEX),
    DUE_KINDS(MULTI, INDEX, LEASES, ATTEMPTS),
    FIND(MULTI, INDEX, TASKS, LEASES, ATTEMPTS, DEAD, SHARDING, TURNS),
    HISTORY_PAGE(MULTI, HISTORY),
    STATS(MULTI, INDEX, LEASES, DEAD, PAUSED, TURNS),
    REDRIVE(MULTI, INDEX, TASKS, LEASES, ATTEMPTS, DEAD, HOLDS, SHARDING, HISTORY, GROUPS),
    DISCARD(MULTI, TASKS, LEASES, ATTEMPTS, DEAD, HOLDS, SHARDING, HISTORY, GROUPS),
    TRIM_DEAD(MULTI, TASKS, ATTEMPTS, DEAD, HOLDS, GROUPS),
    PAUSE(INTEGER, LEASES, PAUSED),
    PURGE(MULTI, INDEX, TASKS, LEASES, ATTEMPTS, DEAD, HOLDS, GROUPS),
    MIGRATION_SCAN(MULTI, TASKS, LEASES, SHARDING),
    MIGRATION_HOLD(MULTI, INDEX, TASKS, LEASES, ATTEMPTS, DEAD, TOKEN, HOLDS, SHARDING),
    MIGRATION_TAKE_IN(INTEGER, INDEX, TASKS, LEASES, ATTEMPTS, DEAD, HOLDS, SHARDING, TOKEN, GROUPS),
    MIGRATION_END(MULTI, INDEX, TASKS, ATTEMPTS, DEAD, HOLDS, GROUPS),
    TOKEN_RAISE(VALUE, LEASES, TOKEN),
    SHARDING_SEEN(VALUE, SHARDING),
    NOOP_WRITE(INTEGER, NOOP),
    SHARDING_PUT(MULTI),
    CLAIM(INTEGER),
    PACE(VALUE),
    RATE_TAKE(MULTI),
    RATES(MULTI),
    OPERATION_PUT(VALUE),
    OPERATION_STOP(INTEGER),
    OPERATIONS_READ(MULTI),
    QUEUES_NOTE(MULTI),
    AUDIT_PUT(INTEGER),
    AUDIT_PAGE(MULTI),
    PROBE(MULTI);

    private final Answer answer;
    private final ShardKey[] shardKeys;
    private final byte[] source;
    private final String sha1;

    /** @param shardKeys the shard keys that the script takes, in order; none if its keys do not belong to a shard */
    Script(Answer answer, ShardKey... shardKeys) {
        this.answer = answer;
        this.shardKeys = shardKeys;
        this.source = Shared.PRELUDE.before(read(fileName()) + rest()).getBytes(StandardCharsets.UTF_8);
        try {
            this.sha1 =
                    HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(source));
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException("Every JVM has SHA-1", ex);
        }
    }

    /**
     * Returns whether the reply to a second run may replace a lost first reply. After a cancel has run, a second run
     * finds no task, and NOT_FOUND would mean that the task was delivered or never existed. After an update has run, a
     * second run may find a started delivery. A second acquire takes other tasks. The same applies to scripts that
     * discard or redrive dead tasks, and to scripts that return a count.
     */
    boolean answersAgain() {
        return switch (this) {
            case POP_DUE,
                    POP_DUE_LIMITED,
                    CANCEL,
                    UPDATE,
                    DISCARD,
                    REDRIVE,
                    GROUP_CHANGE,
                    RATES,
                    RATE_TAKE,
                    AUDIT_PUT -> false;
            default -> true;
        };
    }

    /** Sends only the script's hash, which the server may not know. */
    public <T> RedisFuture<T> byHash(RedisScriptingAsyncCommands<byte[], byte[]> on, byte[][] keys, byte[]... args) {
        return on.evalsha(sha1, answer.output(), keys, args);
    }

    public <T> RedisFuture<T> byText(RedisScriptingAsyncCommands<byte[], byte[]> on, byte[][] keys, byte[]... args) {
        return on.eval(source, answer.output(), keys, args);
    }

    ShardKey[] shardKeys() {
        return shardKeys;
    }

    String fileName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the code that follows this script's own: both acquire scripts end with the same code. */
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

    /** The form of a reply, named as in the driver. */
    enum Answer {
        MULTI,
        VALUE,
        INTEGER;

        private ScriptOutputType output() {
            return ScriptOutputType.valueOf(name());
        }
    }
}
