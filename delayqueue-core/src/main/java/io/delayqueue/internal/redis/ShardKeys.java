// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import java.nio.charset.StandardCharsets;

/** The keys of one shard, as bytes. All share one hash tag and so one slot of a Redis Cluster. */
final class ShardKeys {

    final byte[] index;
    final byte[] tasks;
    final byte[] leases;
    final byte[] attempts;
    final byte[] dead;
    final byte[] token;
    final byte[] paused;
    final byte[] pace;
    final byte[] catchup;
    final byte[] transfers;
    final byte[] acquires;
    final byte[] layout;
    final byte[] noop;
    final byte[] wakeChannel;
    final byte[] shardNumber;

    ShardKeys(String shardPrefix, String wakeChannel, int shardNumber) {
        this.index = bytes(shardPrefix + "index");
        this.tasks = bytes(shardPrefix + "tasks");
        this.leases = bytes(shardPrefix + "leases");
        this.attempts = bytes(shardPrefix + "attempts");
        this.dead = bytes(shardPrefix + "dead");
        this.token = bytes(shardPrefix + "token");
        this.paused = bytes(shardPrefix + "paused");
        this.pace = bytes(shardPrefix + "pace");
        this.catchup = bytes(shardPrefix + "catchup");
        this.transfers = bytes(shardPrefix + "transfers");
        this.acquires = bytes(shardPrefix + "acquires");
        this.layout = bytes(shardPrefix + "layout");
        this.noop = bytes(shardPrefix + "noop");
        this.wakeChannel = bytes(wakeChannel);
        this.shardNumber = bytes(Integer.toString(shardNumber));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
