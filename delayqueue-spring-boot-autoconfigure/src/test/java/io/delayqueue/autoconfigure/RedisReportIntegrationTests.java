// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.test.server.RedisCluster;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.test.server.RedisServerBuilder;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.Assertions;
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
    void startWhenTheServerKeepsNoFileWarns(CapturedOutput output) {
        run(
                RedisServer.embedded().config("appendonly no"),
                List.of(),
                context -> assertThat(output.toString().lines())
                        .anyMatch(line -> line.contains("WARN")
                                && line.contains("keeps no append-only file: a crash loses all tasks since the last")));
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
    void startWhenTheServersAreAClusterChecksEachMaster(CapturedOutput output) {
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
