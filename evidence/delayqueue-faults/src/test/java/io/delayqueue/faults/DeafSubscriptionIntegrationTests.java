// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.faults.net.FaultProxy;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.RedisTarget;
import io.delayqueue.internal.redis.rights.RedisRights;
import io.delayqueue.internal.redis.wake.RedisWakeSignals;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two processes on one queue. One no longer receives published messages, although everything else works. */
class DeafSubscriptionIntegrationTests {

    private static final String QUEUE = "orders";
    private static final String CHANNEL = "dq:{orders}:wake";
    private static final String USER = "process";
    private static final String PASSWORD = "deaf";
    private static final Duration HEARTBEAT = Duration.ofSeconds(2);
    /** Enough shards that chance does not give all of them to the same process. */
    private static final int SHARDS = 16;

    private static final Pattern PORT = Pattern.compile(" addr=127\\.0\\.0\\.1:(\\d+) ");

    private final RedisServer redis = RedisServer.installed()
            .config(RedisRights.of("dq").user(USER, PASSWORD))
            .start();
    private final FaultProxy proxy = FaultProxy.to(redis.host(), redis.port());
    private final RedisClient client = RedisClient.create(redis.adminUri().toString());
    private final RedisCommands<String, String> admin = client.connect().sync();
    private final List<Process> processes = new ArrayList<>();
    private Process other;
    private Process deaf;

    @BeforeEach
    void start() {
        other = new Process(redis.port());
        deaf = new Process(proxy.port());
        await().until(() -> owned(other).size() + owned(deaf).size() == SHARDS && other.hears() && deaf.hears());
        assertThat(owned(deaf)).isNotEmpty();
    }

    @AfterEach
    void close() {
        processes.forEach(Process::close);
        client.shutdown();
        proxy.close();
        redis.close();
    }

    @Test
    void subscriptionWhenItsConnectionIsHalfOpenIsOpenedAgainWithinTwoHeartbeats() throws Exception {
        silenceSubscription();
        assertThat(deaf.hears()).isFalse();

        await().atMost(HEARTBEAT.multipliedBy(3)).until(deaf::hears);
        await().atMost(HEARTBEAT).until(() -> owned(other).size() + owned(deaf).size() == SHARDS);
    }

    @Test
    void subscriptionWhenTheRightToTheChannelWasLostForTwoSecondsIsThereAgain() throws Exception {
        call("ACL", "SETUSER", USER, "resetchannels");
        await().during(Duration.ofSeconds(2)).atMost(Duration.ofSeconds(10)).until(() -> !deaf.hears());
        call("ACL", "SETUSER", USER, "&dq:{*}:wake");

        await().atMost(HEARTBEAT.multipliedBy(2)).until(() -> deaf.hears() && other.hears());
    }

    @Test
    void membershipWhenTheProcessIsDeafForLongLeavesItsShardsToTheOthers() throws Exception {
        // the other process has a separate user
        Process third = new Process(redis.port(), redis.adminUri().getUserInfo());
        await().until(() ->
                owned(other).size() + owned(deaf).size() + owned(third).size() == SHARDS);

        call("ACL", "SETUSER", USER, "-subscribe");
        admin.clientKill(io.lettuce.core.KillArgs.Builder.typePubsub());

        await().atMost(HEARTBEAT.multipliedBy(3))
                .until(() -> third.hears() && owned(third).size() == SHARDS);
        call("ACL", "SETUSER", USER, "+subscribe");

        await().atMost(HEARTBEAT.multipliedBy(3))
                .until(() -> deaf.hears()
                        && owned(other).size()
                                        + owned(deaf).size()
                                        + owned(third).size()
                                == SHARDS);
    }

    /** The subscription of the process behind the proxy stands still. */
    private void silenceSubscription() {
        List<Integer> ports = Arrays.stream(admin.clientList().split("\n"))
                .filter(line -> line.contains(" sub=1 "))
                .map(PORT::matcher)
                .filter(Matcher::find)
                .map(matcher -> Integer.parseInt(matcher.group(1)))
                .toList();
        assertThat(ports.stream().filter(proxy::silence)).hasSize(1);
    }

    private void call(String... words) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
        for (int i = 1; i < words.length; i++) {
            args.add(words[i]);
        }
        admin.dispatch(CommandType.valueOf(words[0]), new StatusOutput<>(StringCodec.UTF8), args);
    }

    private static List<Integer> owned(Process process) {
        return IntStream.range(0, SHARDS)
                .filter(process.membership::owns)
                .boxed()
                .toList();
    }

    /** The objects of one process. */
    private final class Process implements AutoCloseable {

        private final RedisConnections connections;
        private final RedisWakeSignals signals;
        private final WakeSignals.Registration membership;
        private final BlockingQueue<Integer> woken = new LinkedBlockingQueue<>();
        private int wakes;

        Process(int port) {
            this(port, USER + ":" + PASSWORD);
        }

        Process(int port, String user) {
            RedisURI address = RedisURI.create("127.0.0.1", port);
            String[] parts = user == null ? new String[] {"default", ""} : user.split(":");
            address.setAuthentication(parts[0], parts[1].toCharArray());
            connections = new RedisConnections(() -> RedisTarget.of(address), Duration.ofSeconds(2), 1000);
            signals = new RedisWakeSignals(connections, new RedisKeys("dq"), HEARTBEAT, new Scheduler());
            membership = signals.listen(QUEUE, new WakeSignals.Listener() {
                @Override
                public void wake(int shard) {
                    woken.add(shard);
                }

                @Override
                public void wakeAll() {}
            });
            processes.add(this);
        }

        /** Returns whether a message that is published now arrives. */
        boolean hears() throws InterruptedException {
            int number = 1000 + wakes++;
            admin.publish(CHANNEL, String.valueOf(number));
            for (Integer heard = nextWake(); heard != null; heard = nextWake()) {
                if (heard == number) {
                    return true;
                }
            }
            return false;
        }

        private Integer nextWake() throws InterruptedException {
            return woken.poll(200, TimeUnit.MILLISECONDS);
        }

        @Override
        public void close() {
            signals.close();
            connections.close();
        }
    }
}
