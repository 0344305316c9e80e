// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayqueue.CancelOutcome;
import io.delayqueue.EncodedPayload;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.NewPayload;
import io.delayqueue.internal.store.Settlement;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * An acquire that ran and whose answer did not arrive: nobody handles what it took, so it must not count as a lost
 * lease.
 */
class LostAnswerIntegrationTests extends RedisStoreContract {

    private static final Duration TIMEOUT = Duration.ofMillis(700);

    private AnswerProxy proxy;
    private RedisConnections connections;
    /** Of the process whose answers are lost; {@link #store} is another process. */
    private RedisTaskStore behindProxy;

    LostAnswerIntegrationTests() {
        super(TestRedis.shared(RedisBinary.EMBEDDED_6_2));
    }

    @BeforeEach
    void connectThroughAProxy() throws IOException {
        proxy = new AnswerProxy(redis.server().port());
        RedisStandaloneConfiguration address = new RedisStandaloneConfiguration("127.0.0.1", proxy.port());
        address.setUsername(TestRedis.USER);
        address.setPassword(TestRedis.PASSWORD);
        connections = RedisConnections.derive(new LettuceConnectionFactory(address), TIMEOUT, 1000);
        behindProxy = new RedisTaskStore(connections, new RedisKeys("dq"), TIMEOUT, clockOffset::get);
        schedule("first", 1, now - 3 * MINUTE);
        // so that the script is known to the server, and the server's clock to the store
        Acquisition acquisition = get(acquiring(1));
        settle(Settlement.ack("first", acquisition.token()));
    }

    @AfterEach
    void close() throws IOException {
        connections.close();
        proxy.close();
    }

    private CompletableFuture<Acquisition> acquiring(int limit) {
        return behindProxy.leases().acquire(SHARD, new AcquireRequest(limit, LEASE, MAX_EXPIRED, 1 << 20, 1));
    }

    @Test
    void acquireWhenItsAnswerIsLostTakesTheSameTasksAgain() {
        schedule("a", 1, now - 2 * MINUTE);
        schedule("b", 2, now - MINUTE);
        schedule("c", 3, now - MINUTE);

        proxy.loseNextAnswer();
        Acquisition acquisition = get(acquiring(2));

        assertThat(proxy.hasLostIt()).isTrue();
        assertThat(acquisition.tasks()).extracting(AcquiredTask::id).containsExactly("a", "b");
        assertThat(acquisition.tasks()).noneMatch(AcquiredTask::isSuspect);
        assertThat(state().leases()).containsOnlyKeys("a", "b");
        assertThat(state().leases().values()).allMatch(lease -> lease.startsWith("1:" + acquisition.token() + ":"));
        assertThat(state().index()).containsEntry("c", now - MINUTE);
        assertThat(state().attempts()).isEmpty();
    }

    @Test
    void acquireWhenItsAnswerComesTooLateTakesTheSameTasksTheNextTime() {
        schedule("a", 1, now - 2 * MINUTE);
        schedule("b", 2, now - MINUTE);

        proxy.holdAnswers();
        assertThatExceptionOfType(TaskStoreTimeoutException.class).isThrownBy(() -> get(acquiring(1)));
        proxy.letAnswersThrough();
        assertThat(state().leases()).containsOnlyKeys("a");
        Acquisition acquisition = get(acquiring(1));

        assertThat(acquisition.tasks()).extracting(AcquiredTask::id).containsExactly("a");
        assertThat(acquisition.tasks()).noneMatch(AcquiredTask::isSuspect);
        assertThat(state().leases()).containsOnlyKeys("a");
        assertThat(get(acquiring(1)).tasks()).extracting(AcquiredTask::id).containsExactly("b");
    }

    @Test
    void acquireWhenItsAnswerIsLostLeavesTheLeasesOfOthersAlone() {
        schedule("mine", 1, now - 3 * MINUTE);
        assertThat(get(acquiring(1)).tasks()).extracting(AcquiredTask::id).containsExactly("mine");
        schedule("lost", 2, now - 2 * MINUTE);
        schedule("others", 3, now - MINUTE);

        proxy.loseNextAnswer();
        proxy.holdAnswers();
        CompletableFuture<Acquisition> acquiring = acquiring(1);
        await().until(() -> state().leases().containsKey("lost"));
        assertThat(acquire(1).tasks()).extracting(AcquiredTask::id).containsExactly("others");
        proxy.letAnswersThrough();

        assertThat(get(acquiring).tasks()).extracting(AcquiredTask::id).containsExactly("lost");
        assertThat(state().leases()).containsOnlyKeys("mine", "lost", "others");
    }

    @Test
    void acquireWhenTheLostOnesAreSomebodyElsesByNowLeavesThemAlone() {
        schedule("a", 1, now - MINUTE);
        proxy.holdAnswers();
        assertThatExceptionOfType(TaskStoreTimeoutException.class).isThrownBy(() -> get(acquiring(1)));
        proxy.letAnswersThrough();
        moveClock(LEASE.toMillis());
        long taken = lease("a");

        assertThat(get(acquiring(1)).tasks()).isEmpty();

        assertThat(settle(Settlement.ack("a", taken))).isTrue();
    }

    private void otherProcessesTakeSomething(int processes) {
        schedule("others", 9, now - 10 * MINUTE);
        for (int process = 0; process < processes; process++) {
            store = new RedisTaskStore(redis.connections(), new RedisKeys("dq"), TestRedis.TIMEOUT, clockOffset::get);
            assertThat(release("others", acquire(1).token())).isTrue();
        }
        assertThat(cancel("others")).isEqualTo(CancelOutcome.CANCELLED);
    }

    @Test
    void acquireWhenItsAnswerIsLostAmongManyProcessesTakesTheSameTasksAgain() {
        schedule("a", 1, now - MINUTE);
        proxy.holdAnswers();
        assertThatExceptionOfType(TaskStoreTimeoutException.class).isThrownBy(() -> get(acquiring(1)));
        proxy.letAnswersThrough();

        otherProcessesTakeSomething(100);

        Acquisition acquisition = get(acquiring(1));
        assertThat(acquisition.tasks()).extracting(AcquiredTask::id).containsExactly("a");
        assertThat(acquisition.tasks()).noneMatch(AcquiredTask::isSuspect);
    }

    @Test
    void acquireWhenItsAnswerWasLostMinutesAgoButTheLeaseIsLongerTakesTheSameTasksAgain() {
        AcquireRequest longLease = new AcquireRequest(1, Duration.ofMinutes(30), MAX_EXPIRED, 1 << 20, 1);
        schedule("a", 1, now - MINUTE);
        proxy.holdAnswers();
        assertThatExceptionOfType(TaskStoreTimeoutException.class)
                .isThrownBy(() -> get(behindProxy.leases().acquire(SHARD, longLease)));
        proxy.letAnswersThrough();

        moveClock(5 * MINUTE);
        otherProcessesTakeSomething(3);

        Acquisition acquisition = get(behindProxy.leases().acquire(SHARD, longLease));
        assertThat(acquisition.tasks()).extracting(AcquiredTask::id).containsExactly("a");
        assertThat(acquisition.tasks()).noneMatch(AcquiredTask::isSuspect);
    }

    @Test
    void acquiresOfManyProcessesAreForgottenAfterAWhile() {
        otherProcessesTakeSomething(200);
        assertThat(redis.raw().hlen(key("acquires"))).isGreaterThanOrEqualTo(200);

        moveClock(5 * MINUTE);
        otherProcessesTakeSomething(2);

        assertThat(redis.raw().hlen(key("acquires"))).isEqualTo(2);
    }

    @Test
    void acquiresOfMoreProcessesThanAreRememberedAreForgottenOldestFirst() {
        for (int process = 0; process < 510; process++) {
            redis.raw().hset(key("acquires"), "p" + process, "1:" + (1_000 + process) + ":" + (now + 30 * MINUTE));
        }
        redis.raw()
                .hdel(
                        key("acquires"),
                        redis.raw().hkeys(key("acquires")).stream()
                                .filter(name -> !name.startsWith("p") || name.length() > 4)
                                .toArray(String[]::new));

        moveClock(MINUTE);
        otherProcessesTakeSomething(1);

        assertThat(redis.raw().hlen(key("acquires"))).isEqualTo(501);
        assertThat(redis.raw().hexists(key("acquires"), "p9")).isFalse();
        assertThat(redis.raw().hexists(key("acquires"), "p10")).isTrue();
    }

    private CompletableFuture<UpdateOutcome> updating(String payload) {
        return behindProxy
                .tasks()
                .update(
                        SHARD,
                        LayoutVersion.NONE,
                        "a",
                        new NewPayload(new EncodedPayload("text/x", payload.getBytes(UTF_8)), ""));
    }

    /** The answer to a second run could be that of a delivery which has begun after the first. */
    @Test
    void updateWhenItsAnswerIsLostIsNotMadeAgain() {
        schedule("a", 1, now + MINUTE);
        assertThat(get(updating("known"))).isEqualTo(UpdateOutcome.UPDATED);

        proxy.loseNextAnswer();
        assertThatExceptionOfType(TaskStoreException.class).isThrownBy(() -> get(updating("new")));

        assertThat(proxy.hasLostIt()).isTrue();
        assertThat(get(store.tasks().find(SHARD, "a")).orElseThrow().content().payload())
                .asString(UTF_8)
                .isEqualTo("new");
    }

    /** Whatever a script reads it reads before it writes, so that a refusal leaves nothing half done. */
    @Test
    void acquireWhenItMayNotReadWhoAcquiredBeforeChangesNothing() {
        schedule("a", 1, now - MINUTE);
        AclSetuserArgs mayNot = AclSetuserArgs.Builder.on()
                .addPassword("p")
                .allKeys()
                .allChannels()
                .allCommands()
                .removeCommand(CommandType.HSCAN);
        redis.raw().aclSetuser("no-hscan", mayNot);
        RedisStandaloneConfiguration address =
                new RedisStandaloneConfiguration("127.0.0.1", redis.server().port());
        address.setUsername("no-hscan");
        address.setPassword("p");
        RedisConnections theirs = RedisConnections.derive(new LettuceConnectionFactory(address), TIMEOUT, 1000);
        try {
            store = new RedisTaskStore(theirs, new RedisKeys("dq"), TIMEOUT, clockOffset::get);
            moveClock(MINUTE);
            Map<String, String> before = redis.raw().hgetall(key("acquires"));
            String token = redis.raw().get(key("token"));

            assertThatThrownBy(() -> changesNothing(() -> acquire(1))).hasMessageContaining("lacks a right");

            assertThat(redis.raw().hgetall(key("acquires"))).isEqualTo(before);
            assertThat(redis.raw().get(key("token"))).isEqualTo(token);
        } finally {
            theirs.close();
            redis.raw().aclDeluser("no-hscan");
        }
    }
}
