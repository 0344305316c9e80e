// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.redis.wake.LiveMembers.Kind;
import io.delayqueue.internal.redis.wake.LiveMembers.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LiveMembersTests {

    private static final int SHARDS = 1000;

    private final AtomicLong nanoTime = new AtomicLong();

    @Test
    void ownsWhenAllKnowEachOtherGivesEveryShardToOneAndToEachAFairShare() {
        List<LiveMembers> views = views("a", "b", "c", "d");
        int[] owned = new int[views.size()];
        for (int shard = 0; shard < SHARDS; shard++) {
            int owners = 0;
            for (int i = 0; i < owned.length; i++) {
                if (views.get(i).owns(shard)) {
                    owners++;
                    owned[i]++;
                }
            }
            assertThat(owners).as("owners of shard " + shard).isEqualTo(1);
        }
        for (int count : owned) {
            assertThat(count).isBetween(SHARDS / 4 - 60, SHARDS / 4 + 60);
        }
    }

    @Test
    void ownsWhenAMemberLeavesChangesOnlyWhatThatMemberOwned() {
        LiveMembers a = views("a", "b", "c").get(0);
        List<Integer> before = owned(a);
        assertThat(a.gone("b")).isTrue();
        assertThat(a.gone("b")).isFalse();
        assertThat(owned(a))
                .containsAll(before)
                .hasSizeGreaterThan(before.size())
                .hasSizeLessThan(SHARDS);
    }

    @Test
    void expireWhenAMemberIsSilentForgetsItAndNeverItself() {
        LiveMembers a = new LiveMembers("a", nanoTime::get);
        assertThat(a.alive("b", 100)).isTrue();
        assertThat(a.alive("b", 100)).as("known already").isFalse();
        assertThat(a.alive("a", 100)).as("itself").isFalse();
        nanoTime.set(60);
        a.alive("b", 100);
        nanoTime.set(159);
        assertThat(a.expire()).isFalse();
        nanoTime.set(160);
        assertThat(a.expire()).isTrue();
        assertThat(owned(a)).hasSize(SHARDS);
    }

    @Test
    void parseWhenTheTextIsAMessageReadsIt() {
        for (Kind kind : Kind.values()) {
            Message message = new Message(kind, "5b1c");
            assertThat(Message.parse(message.toString())).isEqualTo(message);
        }
        assertThat(Message.parse("sharding")).isNull();
        assertThat(Message.parse("al:ive")).isNull();
        assertThat(Message.parse("unknown:a")).isNull();
        assertThat(Message.parse("alive:" + "x".repeat(200))).isNull();
    }

    private List<LiveMembers> views(String... ids) {
        List<LiveMembers> views = new ArrayList<>();
        for (String self : ids) {
            LiveMembers members = new LiveMembers(self, nanoTime::get);
            for (String other : ids) {
                members.alive(other, 1000);
            }
            views.add(members);
        }
        return views;
    }

    private static List<Integer> owned(LiveMembers members) {
        List<Integer> owned = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            if (members.owns(shard)) {
                owned.add(shard);
            }
        }
        return owned;
    }
}
