// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.input.PrintableText;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Pattern;

/** The only place where key and channel names are made. */
public final class RedisKeys {

    private static final Pattern PREFIX_FORM = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    private final String prefix;
    private final ConcurrentMap<ShardName, ShardKeys> shards = new ConcurrentHashMap<>();

    /** @throws IllegalArgumentException if the prefix has braces or other characters that would break a hash tag */
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

    /** The keys of one shard of a queue. */
    public ShardKeys ofShard(String queue, int index) {
        return shards.computeIfAbsent(
                new ShardName(queue, index),
                s -> new ShardKeys(prefix + ":{" + queue + ":" + index + "}:", wakeChannel(queue), index));
    }

    /** The channel on which a queue's pollers are woken; a message is the number of the shard. */
    public String wakeChannel(String queue) {
        return prefix + ":{" + queue + "}:wake";
    }

    /** What all keys of a prefix look like, as Redis's access lists write it. */
    public static String keyPattern(String prefix) {
        return prefix + ":{*}:*";
    }

    /** What all channels of a prefix look like, as Redis's access lists write it. */
    public static String channelPattern(String prefix) {
        return prefix + ":{*}:wake";
    }

    /** The key that records over how many shards a queue is spread. */
    public String sharding(String queue) {
        return prefix + ":{" + queue + "}:sharding";
    }

    /** The key that says which process forwards the dead tasks of a queue. */
    public String forwarder(String queue) {
        return prefix + ":{" + queue + "}:forwarder";
    }

    /** The key that says how far ahead due times of a queue are reserved at a pace. */
    public String pace(String queue) {
        return prefix + ":{" + queue + "}:pace";
    }

    /** The key with what was counted of a queue, minute by minute. */
    public String rates(String queue) {
        return prefix + ":{" + queue + "}:rates";
    }

    /** The key with the operations by filter on all queues. */
    public String operations() {
        return ofTag("operations", "operations");
    }

    /** A key of neither a queue nor a shard. */
    public String ofTag(String tag, String name) {
        return prefix + ":{" + tag + "}:" + name;
    }

    /** The key that says which process migrates tasks between the shards of a queue. */
    public String migrator(String queue) {
        return prefix + ":{" + queue + "}:migrator";
    }

    private record ShardName(String queue, int index) {}
}
