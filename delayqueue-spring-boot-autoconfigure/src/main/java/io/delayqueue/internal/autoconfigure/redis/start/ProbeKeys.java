// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import static io.delayqueue.internal.redis.RedisBytes.bytes;

import io.delayqueue.internal.redis.RedisKeys;

/**
 * The keys and channels that the probe uses. The keys exist only during the probe.
 *
 * @param keys the keys, in the order of the script
 * @param pattern pattern of all keys with the prefix, for messages
 * @param channels pattern of all channels with the prefix, for messages
 */
record ProbeKeys(byte[][] keys, byte[] channel, String pattern, String channels) {

    /** @param tag hash tag that replaces the queue name and determines the slot in a cluster */
    static ProbeKeys of(RedisKeys names, String tag) {
        return new ProbeKeys(
                new byte[][] {
                    bytes(names.ofTag(tag, "probe_text")),
                    bytes(names.ofTag(tag, "probe_hash")),
                    bytes(names.ofTag(tag, "probe_set"))
                },
                bytes(names.wakeChannel(tag)),
                RedisKeys.keyPattern(names.prefix()),
                RedisKeys.channelPattern(names.prefix()));
    }
}
