// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.store.Settlement;
import io.lettuce.core.AclSetuserArgs;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Wake messages that may not be published. */
abstract class RedisWakeContract extends WakeContract {

    private final TestRedis redis;

    RedisWakeContract(StoreServers servers) {
        super(servers.shared());
        this.redis = servers.shared();
    }

    @Test
    void everyCallWhenTheUserMayOnlyUseItsKeysAndNotPublishWorks() {
        redis.everyNode(node -> node.aclSetuser(
                "limited",
                AclSetuserArgs.Builder.on()
                        .addPassword("secret")
                        .keyPattern("dq:*")
                        .resetChannels()
                        .allCommands()));
        var connections = redis.connections("limited", "secret", TestRedis.TIMEOUT);
        store = new RedisTaskStore(connections, new RedisKeys("dq"), TestRedis.TIMEOUT, clockOffset::get);

        assertThat(wakesOf(() -> {
                    schedule("a", 1, now - MINUTE);
                    release("a", lease("a"));
                    settle(Settlement.retry("a", lease("a"), Duration.ZERO, true, false, "r"));
                    reschedule("a", at(now - 5 * MINUTE));
                    assertThat(get(store.tasks().find(SHARD, "a"))).isPresent();
                    settle(Settlement.ack("a", lease("a")));
                }))
                .isZero();
        assertThat(state().tasks()).isEmpty();
    }
}
