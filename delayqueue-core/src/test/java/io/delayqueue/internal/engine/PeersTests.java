// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.internal.store.WakeSignals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeersTests {

    private final Peers peers = new Peers("orders", 0);
    private final List<String> calls = new ArrayList<>();
    private boolean broken;

    private void call(String what) {
        calls.add(what);
        if (broken) {
            throw new NoClassDefFoundError();
        }
    }

    private void join() {
        WakeSignals signals = (queue, listener) -> new WakeSignals.Registration() {
            @Override
            public boolean arrive() {
                call("arrive");
                return true;
            }

            @Override
            public void callForHelp(int shard) {
                call("help " + shard);
            }

            @Override
            public void close() {
                call("close signals");
            }
        };
        ShardOwnership ownership = (queue, onChange) -> new ShardOwnership.Membership() {
            @Override
            public boolean owns(int shard) {
                call("owns " + shard);
                return shard == 1;
            }

            @Override
            public void close() {
                call("close membership");
            }
        };
        peers.join(signals, ownership, new Silent());
    }

    @Test
    void heldUpWhenItLastsAsksForItsOwnShardsAndThenOnceInASecond() {
        join();
        assertThat(heldUpAt(10)).isEqualTo(10 + Peers.ASK_AFTER);
        assertThat(heldUpAt(9 + Peers.ASK_AFTER)).isEqualTo(10 + Peers.ASK_AFTER);
        assertThat(helps()).isZero();
        assertThat(peers.isHeldUp()).isTrue();

        long asked = 10 + Peers.ASK_AFTER;
        assertThat(heldUpAt(asked)).isEqualTo(asked + Peers.ASK_AGAIN_AFTER);
        assertThat(heldUpAt(asked + 1)).isEqualTo(asked + Peers.ASK_AGAIN_AFTER);
        assertThat(calls).containsOnlyOnce("help 1").doesNotContain("help 0");
        heldUpAt(asked + Peers.ASK_AGAIN_AFTER);
        assertThat(helps()).isEqualTo(2);
    }

    @Test
    void heldUpWhenItWasOverMeanwhileBeginsAnewButAsksNoMoreOften() {
        join();
        heldUpAt(0);
        heldUpAt(Peers.ASK_AFTER);
        peers.noLongerHeldUp();
        assertThat(peers.isHeldUp()).isFalse();
        long again = Peers.ASK_AFTER + 1;

        heldUpAt(again);

        assertThat(heldUpAt(again + Peers.ASK_AFTER)).isEqualTo(Peers.ASK_AFTER + Peers.ASK_AGAIN_AFTER);
        assertThat(helps()).isEqualTo(1);
    }

    private long heldUpAt(long now) {
        List<ScannedShard> due = List.of(shard(0), shard(1));
        return peers.heldUp(due, now);
    }

    private static ScannedShard shard(int number) {
        return new ScannedShard(number, Duration.ofSeconds(1), 0, 0);
    }

    private long helps() {
        return calls.stream().filter(call -> call.startsWith("help")).count();
    }

    private static final class Silent implements WakeSignals.Listener {

        @Override
        public void wake(int shard) {}

        @Override
        public void wakeAll() {}
    }
}
