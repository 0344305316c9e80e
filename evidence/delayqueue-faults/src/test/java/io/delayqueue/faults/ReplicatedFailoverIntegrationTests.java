// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.server.RedisSentinels;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A master that is killed under a load of schedules that ask for its one replica: what was acknowledged is delivered.
 * {@code -Ddelayqueue.failover.rounds=20} kills that often.
 */
@Tag("long")
class ReplicatedFailoverIntegrationTests {

    private static final Logger log = LoggerFactory.getLogger(ReplicatedFailoverIntegrationTests.class);
    private static final int ROUNDS = Integer.getInteger("delayqueue.failover.rounds", 1);
    private static final Duration RECOVERY = Duration.ofSeconds(20);

    private RedisSentinels redis;
    private Replication replication;

    @BeforeEach
    void startServers() {
        redis = RedisSentinels.installed()
                .replicas(1)
                .downAfter(Duration.ofSeconds(1))
                .start();
        replication = new Replication(key -> redis.master().port());
    }

    @AfterEach
    void stopServers() {
        replication.close();
        redis.close();
    }

    private LettuceConnectionFactory application() {
        RedisSentinelConfiguration address = new RedisSentinelConfiguration().master(RedisSentinels.MASTER_NAME);
        redis.sentinelUris().forEach(uri -> address.sentinel(uri.getHost(), uri.getPort()));
        return new LettuceConnectionFactory(address);
    }

    @Test
    void loadThatAsksForAReplicaWhenTheMasterIsKilledLosesNothing() {
        try (FailoverLoad load = new FailoverLoad(application(), replication, 1)) {
            load.awaitRecovery(200, RECOVERY);
            for (int round = 0; round < ROUNDS; round++) {
                RedisServer master = redis.master();

                master.kill();
                redis.awaitAnotherMasterThan(master);

                redis.rejoin(master);
                redis.awaitHealthy();
                load.awaitRecovery(200, RECOVERY);
            }

            FailoverLoad.Tally tally = load.finish(RECOVERY);

            log.info("kill -9 of a master whose replica was asked for, {} times: {}", ROUNDS, tally);
            assertThat(tally.lost()).isZero();
            assertThat(tally.lostThoughReplicated()).isZero();
        }
    }
}
