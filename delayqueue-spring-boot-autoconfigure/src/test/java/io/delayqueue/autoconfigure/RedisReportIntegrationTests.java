// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.test.server.RedisCluster;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.test.server.RedisServerBuilder;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class RedisReportIntegrationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DataRedisAutoConfiguration.class, DelayQueueAutoConfiguration.class))
            .withPropertyValues("delayqueue.queues.orders=");

    private void run(
            RedisServerBuilder server, List<String> properties, ContextConsumer<AssertableApplicationContext> test) {
        try (RedisServer redis = server.start()) {
            runner.withPropertyValues(
                            "spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port())
                    .withPropertyValues(properties.toArray(String[]::new))
                    .run(test);
        }
    }

    @Test
    void startWhenTheServerKeepsAFileSaysWhatACrashLoses(CapturedOutput output) {
        run(RedisServer.embedded().config("min-replicas-to-write 0"), List.of(), context -> {
            assertThat(output)
                    .contains("appendonly yes, appendfsync everysec: a crash of the machine loses up to a second")
                    .contains("no replicas: everything is lost with this machine")
                    .contains("maxmemory-policy noeviction: a full server refuses new tasks")
                    .doesNotContain("WARN");
        });
    }

    @Test
    void startWhenTheServerKeepsNoFileWarns(CapturedOutput output) {
        run(
                RedisServer.embedded().config("appendonly no").config("save 3600 1"),
                List.of(),
                context -> assertThat(output.toString().lines())
                        .anyMatch(line -> line.contains("WARN")
                                && line.contains(
                                        "appendonly no: a crash loses everything since the last snapshot (save "
                                                + "3600 1)")));
    }

    @Test
    void startWhenTheUserMayNotRunConfigSaysSoAndGoesOn(CapturedOutput output) {
        run(
                RedisServer.embedded().config("user shop on >secret ~dq:* resetchannels &dq:* +@all -config"),
                List.of("spring.data.redis.username=shop", "spring.data.redis.password=secret"),
                context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output)
                            .contains("may not run CONFIG GET", "delayqueue.redis.report=false")
                            .contains("depends on appendfsync, which it does not report")
                            .doesNotContain("WARN");
                });
    }

    @Test
    void startWhenTheServerAnswersSomethingElseChecksTheRestAllTheSame(CapturedOutput output) {
        run(
                RedisServer.embedded().config("rename-command CONFIG HIDDEN").config("rename-command SUBSTR CONFIG"),
                List.of(),
                context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output)
                            .contains("may not run CONFIG GET (ERR ")
                            .contains("delayqueue.redis.report=false")
                            .doesNotContain("could not be checked");
                    assertThat(context.getBean(Shardings.class).of("orders").isUnknown())
                            .isFalse();
                });
    }

    @Test
    void startWhenTurnedOffSaysNothing(CapturedOutput output) {
        run(
                RedisServer.embedded().config("appendonly no"),
                List.of("delayqueue.redis.report=false"),
                context -> assertThat(output).doesNotContain("appendonly"));
    }

    @Test
    void startWhenAQueueAsksForMoreReplicasThanThereAreWarnsAndCallsFail(CapturedOutput output) {
        run(
                RedisServer.embedded(),
                List.of("delayqueue.queues.orders.min-replicas=1", "delayqueue.redis.replicas-timeout=50ms"),
                context -> {
                    assertThat(output).contains("Queue 'orders' requires 1 replica(s), but Redis on port");
                    DelayQueueOperations delayQueue = context.getBean(DelayQueueOperations.class);
                    ScheduleRequest.Builder<Object> request =
                            ScheduleRequest.to("orders").payload("p").dueIn(Duration.ofHours(1));
                    Assertions.assertThatExceptionOfType(TaskNotReplicatedException.class)
                            .isThrownBy(() -> delayQueue.schedule(request.build()));
                    assertThat(delayQueue
                                    .schedule(request.minReplicas(0).build())
                                    .id())
                            .isNotEmpty();
                });
    }

    @Test
    void startWhenTheServersAreAClusterSaysWhatEachMasterPromises(CapturedOutput output) {
        try (RedisCluster cluster = RedisCluster.embedded().replicas(1).start()) {
            List<String> masters = cluster.nodes().subList(0, 3).stream()
                    .map(RedisReportIntegrationTests::address)
                    .toList();
            List<String> replicas = cluster.nodes().subList(3, 6).stream()
                    .map(RedisReportIntegrationTests::address)
                    .toList();
            runner.withPropertyValues(
                            "spring.data.redis.cluster.nodes=" + masters.get(0),
                            "delayqueue.queues.orders.min-replicas=2")
                    .run(context -> {
                        assertThat(masters)
                                .allSatisfy(master -> assertThat(
                                                output.toString().lines())
                                        .filteredOn(line -> line.contains("Redis " + master + ": "))
                                        .singleElement(InstanceOfAssertFactories.STRING)
                                        .contains("INFO", "appendonly yes, appendfsync everysec", "1 replica, "));
                        assertThat(masters)
                                .allSatisfy(master -> assertThat(output)
                                        .contains("Queue 'orders' requires 2 replica(s), but Redis " + master
                                                + " has 1"));
                        assertThat(replicas)
                                .allSatisfy(replica -> assertThat(output).doesNotContain("Redis " + replica));
                    });
        }
    }

    private static String address(RedisServer node) {
        return node.host() + ":" + node.port();
    }

    @Test
    void startWhenTheReplicasTimeoutIsTooLongForTheCommandTimeoutFails() {
        runner.withPropertyValues(
                        "spring.data.redis.port=1",
                        "delayqueue.redis.command-timeout=1s",
                        "delayqueue.redis.replicas-timeout=251ms")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("delayqueue.redis.replicas-timeout is '251ms'")
                        .hasMessageContaining("a quarter of delayqueue.redis.command-timeout (250ms)"));
    }
}
