// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static io.delayqueue.internal.control.ControlScene.EVE;
import static io.delayqueue.internal.control.ControlScene.QUEUE;
import static io.delayqueue.internal.control.ControlScene.SHARDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.UnknownQueueException;
import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.redis.wake.RedisWakeSignals;
import io.delayqueue.internal.store.ShardOwnership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The owners of shards, as seen by a process that delivers nothing itself. */
class OwnersIntegrationTests {

    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final ControlScene scene = new ControlScene(null);
    private final List<RedisWakeSignals> processes = new ArrayList<>();
    private final RedisWakeSignals observer = process();
    private final QueueControl control = new QueueControl(
            scene.admin,
            scene.template,
            (caller, queue) -> scene.permissions,
            null,
            List.of(),
            scene.redis.store(),
            observer,
            Map::of);

    private RedisWakeSignals process() {
        RedisWakeSignals process = scene.redis.wakeSignals(HEARTBEAT);
        processes.add(process);
        return process;
    }

    @AfterEach
    void close() {
        control.close();
        processes.forEach(RedisWakeSignals::close);
        scene.close();
    }

    @Test
    void ownersWhenAskedFirstAreThoseWhoDeliverAndNotTheOneThatAsks() {
        RedisWakeSignals delivers = process();
        ShardOwnership.Membership member = delivers.join(QUEUE, () -> {});
        // it has subscribed when it can tell
        delivers.owners(QUEUE, SHARDS).join();

        assertThat(control.owners(EVE, QUEUE))
                .isEqualTo(IntStream.range(0, SHARDS)
                        .mapToObj(shard -> new ShardOwner(shard, ProcessName.OWN))
                        .toList());
        member.close();
        await().untilAsserted(() -> assertThat(control.owners(EVE, QUEUE))
                .allSatisfy(owner -> assertThat(owner.process()).isNull()));
    }

    @Test
    void ownersWhenAskedAreThoseThatTheOwnersTakeThemselvesFor() {
        RedisWakeSignals one = process();
        RedisWakeSignals other = process();
        ShardOwnership.Membership first = one.join(QUEUE, () -> {});
        ShardOwnership.Membership second = other.join(QUEUE, () -> {});
        await().untilAsserted(() -> assertThat(
                        IntStream.range(0, 64).filter(first::owns).count()
                                + IntStream.range(0, 64).filter(second::owns).count())
                .isEqualTo(64));

        List<ShardOwnership.Owner> seenByOne = one.owners(QUEUE, 64).join();
        List<ShardOwnership.Owner> seen = observer.owners(QUEUE, 64).join();

        assertThat(seen).hasSize(64).isEqualTo(seenByOne);
    }

    @Test
    void ownersWhenNobodyDeliversAreNone() {
        assertThat(control.owners(EVE, QUEUE))
                .hasSize(SHARDS)
                .allSatisfy(owner -> assertThat(owner.process()).isNull());
    }

    @Test
    void ownersWhenTheCallerMayNotReadAreRefused() {
        scene.permissions = Set.of();

        assertThatExceptionOfType(UnknownQueueException.class).isThrownBy(() -> control.owners(EVE, QUEUE));
    }
}
