// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.internal.store.WakeSignals;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeersTests {

    private final Peers peers = new Peers("orders");
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
    void ownWhenNobodyWasJoinedIsEveryShard() {
        assertThat(peers.own(0)).isTrue();
        assertThat(peers.signalsArrive()).isFalse();
        peers.leave();
    }

    @Test
    void peersWhenJoinedSayWhatTheyKnow() {
        join();

        assertThat(peers.own(0)).isFalse();
        assertThat(peers.own(1)).isTrue();
        assertThat(peers.signalsArrive()).isTrue();
        peers.callForHelp(3);
        assertThat(calls).endsWith("help 3");
    }

    @Test
    void peersWhenTheyThrowLeaveEveryShardToThisProcess() {
        join();
        broken = true;

        assertThat(peers.own(0)).isTrue();
        assertThat(peers.signalsArrive()).isFalse();
        peers.callForHelp(3);
        peers.leave();

        assertThat(calls).containsExactly("owns 0", "arrive", "help 3", "close signals", "close membership");
    }

    private static final class Silent implements WakeSignals.Listener {

        @Override
        public void wake(int shard) {}

        @Override
        public void wakeAll() {}
    }
}
