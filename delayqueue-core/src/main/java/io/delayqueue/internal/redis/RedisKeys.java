// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.input.PrintableText;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Pattern;

/** Creates all key and channel names. */
public final class RedisKeys {

    private static final Pattern PREFIX_FORM = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    private final String prefix;
    private final ConcurrentMap<ShardName, ShardKeys> shards = new ConcurrentHashMap<>();

    /**
     * @throws IllegalArgumentException if the prefix contains braces or other characters that would break a hash tag
     */
    public RedisKeys(String prefix) {
        if (!PREFIX_FORM.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "delayqueue.key-prefix must be 1 to 64 letters, digits, '.', '_', ':' or '-', but is '"
                            + PrintableText.of(prefix, 80) + "'");
        }
        this.prefix = prefix;
    }

    public String prefix() {
        return prefix;
    }

    public ShardKeys ofShard(String queue, int index) {
        return shards.computeIfAbsent(
                new ShardName(queue, index),
                s -> new ShardKeys(prefix + ":{" + queue + ":" + index + "}:", wakeChannel(queue), index));
    }

    /** Returns the channel that wakes a queue's pollers. Each message is the number of a shard. */
    public String wakeChannel(String queue) {
        return prefix + ":{" + queue + "}:wake";
    }

    /** Returns the pattern for all keys with a prefix, in the syntax of Redis ACLs. */
    public static String keyPattern(String prefix) {
        return prefix + ":{*}:*";
    }

    /** Returns the pattern for all channels with a prefix, in the syntax of Redis ACLs. */
    public static String channelPattern(String prefix) {
        return prefix + ":{*}:wake";
    }

    public String of(QueueKey key, String queue) {
        return ofTag(queue, key.name().toLowerCase(Locale.ROOT));
    }

    public String operations() {
        return ofTag("operations", "operations");
    }

    /** Returns the key with the queues of all processes and their settings. */
    public String queues() {
        return ofTag("queues", "queues");
    }

    /** Returns the key of the audit entries of all queues. */
    public String audit() {
        return ofTag("audit", "audit");
    }

    /** Returns the key with the processes that deliver queues. */
    public String instances() {
        return ofTag("queues", "instances");
    }

    /** Returns a key that belongs to neither a queue nor a shard. */
    public String ofTag(String tag, String name) {
        return prefix + ":{" + tag + "}:" + name;
    }

    private record ShardName(String queue, int index) {}

    /** The keys that belong to a queue but to none of its shards. Their names in Redis are these names in lower case. */
    public enum QueueKey {
        SHARDING,
        /** The process that migrates tasks between the shards. */
        MIGRATOR,
        /** The process that forwards the dead tasks. */
        FORWARDER,
        /** The end of the reserved due times. */
        PACE,
        /** The used part of the rate. */
        FLOW,
        RATES
    }
}
