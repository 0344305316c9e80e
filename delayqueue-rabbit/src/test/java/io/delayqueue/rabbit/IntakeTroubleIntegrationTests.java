// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.rabbitmq.client.AMQP;
import io.delayqueue.ListedTask;
import io.delayqueue.TaskStoreException;
import io.delayqueue.internal.rabbit.intake.Intake;
import io.delayqueue.internal.transaction.ChangeResult;
import io.delayqueue.internal.transaction.TaskChange;
import io.delayqueue.internal.transaction.TaskChanges;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Intakes whose broker has an alarm, cancels their consumer or delivers very large messages. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class IntakeTroubleIntegrationTests {

    private static final Map<String, Object> FAR = Map.of("x-delay", 3_600_000);
    private static final Map<String, Object> INVALID = Map.of("x-delay", "soon");
    private static final Duration SOON = Duration.ofSeconds(30);

    private final RedisServer redis;
    private final RabbitServer rabbit;
    private IntakeScene scene;

    IntakeTroubleIntegrationTests(RedisServer redis, RabbitServer rabbit) throws Exception {
        this.redis = redis;
        this.rabbit = rabbit;
        this.scene = new IntakeScene(redis, rabbit.uri(), false);
    }

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    void messageWhenItIsLargerThanTheDriversLimitIsRejectedAndTheNextOnesAreStored() throws Exception {
        scene.close();
        try (RabbitServer own =
                RabbitServer.installed().config("max_message_size = 134217728").start()) {
            scene = new IntakeScene(redis, own.uri(), false);
            Intake intake = scene.startIntakeAndAwait();
            scene.publish("k", "b".repeat(65 << 20), FAR);
            scene.publish("k", "b", FAR);

            scene.awaitStored(1);

            await().atMost(SOON).until(() -> scene.broker.count(scene.settings.rejectedQueue()) == 1);
            assertThat(intake.problem()).isNull();
            scene.close();
        }
        scene = new IntakeScene(redis, rabbit.uri(), false);
    }

    @Test
    void batchWhenTheBrokerHasCancelledTheConsumerIsNotStoredAndTheIntakeConsumesAgain() throws Exception {
        AtomicBoolean failing = new AtomicBoolean(true);
        Intake intake = scene.startIntake(changes -> IntakeScene.around(
                changes,
                calls -> failing.get() ? calls.stream().map(this::refused).toList() : changes.carryOut(calls)));
        await().atMost(SOON).until(() -> intake.problem() == null);
        scene.publish("k", "delivered before the cancel", Map.of("x-delay", 3_600_000, "x-delay-id", "before"));
        await().atMost(SOON).until(() -> ("" + intake.problem()).startsWith("cannot store messages"));

        scene.broker.delete(scene.settings.queue());

        await().atMost(SOON).until(() -> intake.problem() == null);
        failing.set(false);
        scene.publish("k", "later", Map.of("x-delay", 3_600_000, "x-delay-id", "later"));
        scene.awaitStored(1);
        assertThat(scene.tasks()).extracting(ListedTask::id).containsExactly("later");
    }

    private ChangeResult refused(TaskChange<?> change) {
        return new ChangeResult(change, null, new TaskStoreException("no call was made", false, null));
    }

    @Test
    void messageWhenItExpiresWhileTheQueueForRejectedOnesIsMissingGoesThereWhenItExistsAgain() throws Exception {
        rabbit.ctl("eval", "application:set_env(rabbit, dead_letter_worker_publisher_confirm_timeout, 500).");
        Intake intake = scene.startIntakeAndAwait();
        intake.stop();
        scene.broker.delete(scene.settings.rejectedQueue());
        scene.publish(
                "k",
                "expires",
                new AMQP.BasicProperties.Builder().expiration("1").build());
        scene.awaitConfirms();
        await().atMost(SOON).until(() -> scene.broker.count(scene.settings.queue()) == 0);

        intake.start();
        await().atMost(SOON).until(() -> intake.problem() == null);

        assertThat(scene.awaitBodies(scene.settings.rejectedQueue(), 1)).containsExactly("expires");
    }

    @Test
    void rejectedMessageDuringAnAlarmDoesNotKeepOtherIntakesOfTheProcessFromAcknowledging() throws Exception {
        CountDownLatch alarm = new CountDownLatch(1);
        CountDownLatch rejecting = new CountDownLatch(1);
        Intake intake = scene.startIntake(after(alarm));
        Intake other = scene.startIntakeBeside("other", after(rejecting));
        await().atMost(SOON).until(() -> intake.problem() == null && other.problem() == null);
        scene.publish("k", "waits for the alarm", FAR);
        scene.publishTo("other", "waits for the rejection", FAR);
        scene.awaitStored(2);
        scene.publish("k", "is rejected during the alarm", INVALID);
        scene.awaitConfirms();

        rabbit.ctl("set_vm_memory_high_watermark", "0");
        try {
            alarm.countDown();
            await().atMost(SOON).until(() -> intake.problem() != null);
            rejecting.countDown();

            await().atMost(SOON).until(() -> other.accepted() == 1);
            await().atMost(SOON).until(() -> hasAcknowledgedAll(scene.beside("other") + ".intake"));
        } finally {
            rabbit.ctl("set_vm_memory_high_watermark", "0.4");
        }

        await().atMost(SOON).until(() -> intake.problem() == null);
        assertThat(scene.awaitBodies(scene.settings.rejectedQueue(), 1))
                .containsExactly("is rejected during the alarm");
        assertThat(intake.rejected()).isEqualTo(1);
    }

    @Test
    void closeWhenALargeRejectedMessageHangsInAWriteEnds() throws Exception {
        CountDownLatch alarm = new CountDownLatch(1);
        Intake intake = scene.startIntake(after(alarm));
        await().atMost(SOON).until(() -> intake.problem() == null);
        scene.publish("k", "waits for the alarm", FAR);
        scene.awaitStored(1);
        scene.publish("k", "b".repeat(15 << 20), INVALID);
        scene.awaitConfirms();

        rabbit.ctl("set_vm_memory_high_watermark", "0");
        try {
            alarm.countDown();
            await().atMost(SOON)
                    .until(() ->
                            rabbit.ctl("list_connections", "client_properties").contains("delayqueue-intake-rejected"));

            assertTimeoutPreemptively(Duration.ofSeconds(30), scene::stopIntakes);
        } finally {
            rabbit.ctl("set_vm_memory_high_watermark", "0.4");
        }
    }

    private boolean hasAcknowledgedAll(String queue) {
        return rabbit.ctl("list_queues", "name", "messages_unacknowledged")
                .lines()
                .anyMatch(line -> line.equals(queue + "\t0"));
    }

    /** Lets the intake acknowledge what it has stored only after the latch. */
    private static UnaryOperator<TaskChanges> after(CountDownLatch latch) {
        return changes -> IntakeScene.around(changes, calls -> {
            List<ChangeResult> results = changes.carryOut(calls);
            try {
                assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException ex) {
                throw new AssertionError(ex);
            }
            return results;
        });
    }
}
