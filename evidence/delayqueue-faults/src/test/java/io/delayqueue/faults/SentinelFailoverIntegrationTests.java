// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.test.server.RedisSentinels;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A master that Sentinels replace under load. {@code -Ddelayqueue.failover.rounds=20} does so that often; each test
 * logs what was lost.
 */
@Tag("long")
class SentinelFailoverIntegrationTests {

    private static final Logger log = LoggerFactory.getLogger(SentinelFailoverIntegrationTests.class);
    private static final int ROUNDS = Integer.getInteger("delayqueue.failover.rounds", 1);
    private static final Duration RECOVERY = Duration.ofSeconds(20);

    private static RedisSentinels redis;
    private static Replication replication;
    private FailoverLoad load;

    @BeforeAll
    static void startServers() {
        redis = RedisSentinels.installed()
                .replicas(2)
                .downAfter(Duration.ofSeconds(1))
                .config("min-replicas-to-write 1")
                .start();
        replication = new Replication(key -> redis.master().port());
    }

    @AfterAll
    static void stopServers() {
        replication.close();
        redis.close();
    }

    @BeforeEach
    void start() {
        RedisSentinelConfiguration address = new RedisSentinelConfiguration().master(RedisSentinels.MASTER_NAME);
        redis.sentinelUris().forEach(uri -> address.sentinel(uri.getHost(), uri.getPort()));
        UserOf.uri(redis.servers().get(0).uri()).logsIn(address);
        load = new FailoverLoad(new LettuceConnectionFactory(address), replication);
        load.awaitRecovery(200, RECOVERY);
    }

    /** Leaves all servers running for the next test. */
    @AfterEach
    void stop() {
        load.close();
        redis.servers().stream().filter(server -> !server.isRunning()).forEach(redis::rejoin);
        redis.awaitHealthy();
    }

    private FailoverLoad.Tally finish(String what) {
        FailoverLoad.Tally tally = load.finish(RECOVERY);
        log.info("{}, {} times: {}", what, ROUNDS, tally);
        assertThat(tally.replicated()).isPositive();
        assertThat(tally.lostThoughReplicated()).isZero();
        assertThat(tally.lost()).isLessThan(tally.acknowledged() / 100);
        return tally;
    }

    @Test
    void loadWhenAReplicaIsPromotedWhileWritesAreHeldBackLosesNothing() {
        for (int round = 0; round < ROUNDS; round++) {
            redis.switchOver();

            load.awaitRecovery(200, RECOVERY);
            load.awaitWakes(RECOVERY);
            redis.awaitHealthy();
        }

        FailoverLoad.Tally tally = finish("SENTINEL FAILOVER with writes held back");

        assertThat(tally.lost()).isZero();
        assertThat(tally.settledButBack()).isZero();
    }

    @Test
    void loadWhenTheMasterIsKilledLosesAtMostWhatNoReplicaHad() {
        for (int round = 0; round < ROUNDS; round++) {
            RedisServer master = redis.master();
            int scans = load.fullScans();

            master.kill();
            redis.awaitAnotherMasterThan(master);

            await("a new subscription").atMost(RECOVERY).until(() -> load.fullScans() > scans);
            load.awaitRecovery(200, RECOVERY);
            load.awaitWakes(RECOVERY);
            redis.rejoin(master);
            redis.awaitHealthy();
        }
        finish("kill -9 of the master that Sentinels watch");
    }
}
