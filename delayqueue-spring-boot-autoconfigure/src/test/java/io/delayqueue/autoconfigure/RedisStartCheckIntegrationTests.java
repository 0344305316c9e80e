// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.QueueSharding;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueFailureAnalyzer;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.test.server.RedisServerBuilder;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;

@ExtendWith(OutputCaptureExtension.class)
class RedisStartCheckIntegrationTests {

    private static final String SHARDING_KEY = "dq:{orders}:sharding";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DataRedisAutoConfiguration.class, DelayQueueAutoConfiguration.class))
            .withPropertyValues("delayqueue.queues.orders=");

    @Test
    void startWhenServerIsRedis7Passes(CapturedOutput output) {
        try (RedisServer redis = InstalledRedis.start()) {
            at(redis).run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(output).doesNotContain("WARN");
            });
        }
    }

    @Test
    void startWhenServerEvictsFailsUnlessTolerated(CapturedOutput output) {
        try (RedisServer redis =
                RedisServer.embedded().config("maxmemory-policy allkeys-lru").start()) {
            at(redis).run(context -> {
                FailureAnalysis analysis = analyze(context);
                assertThat(analysis.getDescription()).contains("maxmemory-policy is 'allkeys-lru'");
                assertThat(analysis.getAction())
                        .contains("Set maxmemory-policy to noeviction", "delayqueue.redis.check");
            });
            at(redis).withPropertyValues("delayqueue.redis.check=warn").run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(output).contains("maxmemory-policy is 'allkeys-lru'");
            });
            int warned = output.length();
            at(redis).withPropertyValues("delayqueue.redis.check=off").run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(output.toString().substring(warned)).doesNotContain("maxmemory-policy");
            });
        }
    }

    @Test
    void startWhenTheUserMayNotRunInfoWarnsAndWorks(CapturedOutput output) {
        try (RedisServer redis = RedisServer.embedded()
                .config("user shop on >secret ~dq:* resetchannels &dq:* +@all -info")
                .start()) {
            runner.withPropertyValues("spring.data.redis.url=redis://shop:secret@127.0.0.1:" + redis.port())
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        assertThat(output).contains("may not run INFO", "delayqueue.redis.check=off");
                        DelayQueueOperations template = context.getBean(DelayQueueOperations.class);
                        String id = template.schedule(requestTo("orders", "payload", Duration.ofMinutes(1)))
                                .id();
                        assertThat(template.find("orders", id, String.class)).isPresent();
                    });
        }
    }

    @Test
    void startWhenTheUserMayNotRecordTheShardingAndThatIsToleratedWarns(CapturedOutput output) {
        for (RedisServerBuilder server : List.of(RedisServer.embedded(), RedisServer.installed())) {
            try (RedisServer redis = server.config("user shop on >secret ~dq:* resetchannels &dq:* +@all -set")
                    .start()) {
                int before = output.length();
                runner.withPropertyValues("spring.data.redis.url=redis://shop:secret@127.0.0.1:" + redis.port())
                        .withPropertyValues("delayqueue.redis.check=warn")
                        .run(context -> {
                            assertThat(context).hasNotFailed();
                            assertThat(output.toString().substring(before))
                                    .contains("may not read or write its sharding");
                        });
            }
        }
    }

    @Test
    void startWhenTheShardsChangedAsksForTheNewNumberAndLetsAnOperatorsChangeStand(CapturedOutput output) {
        try (RedisServer redis = RedisServer.embedded().start()) {
            at(redis).withPropertyValues("delayqueue.queues.orders.shards=4").run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(sharding(context)).isEqualTo(new QueueSharding(4, 4, OptionalInt.empty()));
            });
            at(redis).withPropertyValues("delayqueue.queues.orders.shards=2").run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(output).contains("Queue 'orders': resharded from 4 to 2 shard(s)");
                assertThat(sharding(context)).isEqualTo(new QueueSharding(2, 2, OptionalInt.of(4)));
                context.getBean(DelayQueueAdmin.class).reshard("orders", 4);
            });
            at(redis).withPropertyValues("delayqueue.queues.orders.shards=2").run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(sharding(context)).isEqualTo(new QueueSharding(4, 2, OptionalInt.of(2)));
                assertThat(output)
                        .contains("delayqueue.queues.orders.shards is 2, but the queue has since been resharded "
                                + "to 4 shard(s)");
            });
            at(redis).withPropertyValues("delayqueue.queues.orders.shards=8").run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(sharding(context)).isEqualTo(new QueueSharding(4, 2, OptionalInt.of(2)));
                assertThat(output).contains("not resharded to 8 shards: its tasks still migrate from 2 to 4 shards");
            });
        }
    }

    @Test
    void startWhenANewerVersionRecordedTheShardingFails() {
        try (RedisServer redis = RedisServer.embedded().start()) {
            at(redis).run(context -> redis(context).opsForValue().set(SHARDING_KEY, "2:4:8:8:0"));
            at(redis)
                    .withPropertyValues("delayqueue.queues.orders.shards=4")
                    .run(context -> assertThat(analyze(context).getDescription())
                            .contains("'2:4:8:8:0'", "this version cannot read"));
        }
    }

    private static QueueSharding sharding(ApplicationContext context) {
        return context.getBean(DelayQueueAdmin.class).sharding("orders");
    }

    @Test
    void startWhenRedisIsDownWarnsOnceAndChecksLater(CapturedOutput output) {
        try (RedisServer redis = RedisServer.embedded().start()) {
            redis.stop();
            at(redis).run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(output).containsOnlyOnce("Redis could not be checked at startup");
                redis.start();
                await().atMost(Duration.ofSeconds(15))
                        .untilAsserted(() -> assertThat(output).contains("Redis passed the check"));
                await().untilAsserted(
                                () -> assertThat(redis(context).opsForValue().get(SHARDING_KEY))
                                        .matches("1:\\d+:1:1:0"));
                assertThat(output).containsOnlyOnce("Redis could not be checked at startup");
            });
        }
    }

    /** With several queues and shards, each of which would otherwise log the same. */
    @Test
    void outageIsLoggedOnceAtStartAndOnceLater(CapturedOutput output) {
        try (RedisServer redis = RedisServer.embedded().start()) {
            redis.stop();
            at(redis)
                    .withBean(Listeners.class)
                    .withPropertyValues("delayqueue.queues.orders.shards=4", "delayqueue.queues.mails=")
                    .run(context -> {
                        assertWarningsStay(output, "Redis could not be checked at startup");
                        redis.start();
                        DelayQueueOperations tasks = context.getBean(DelayQueueOperations.class);
                        await().atMost(Duration.ofSeconds(15))
                                .ignoreExceptions()
                                .untilAsserted(() -> assertThat(tasks.schedule(ScheduleRequest.to("orders")
                                                .payload("x")
                                                .dueIn(Duration.ofMillis(1))
                                                .build()))
                                        .isNotNull());
                        await().atMost(Duration.ofSeconds(15))
                                .untilAsserted(() -> assertThat(output).contains("is reachable again"));
                        redis.stop();
                        assertWarningsStay(
                                output, "Redis could not be checked at startup", "Redis cannot be reached; until");
                    });
        }
    }

    private static void assertWarningsStay(CapturedOutput output, String... parts) {
        await().during(Duration.ofSeconds(4)).atMost(Duration.ofSeconds(12)).untilAsserted(() -> {
            List<String> warnings = output.getAll()
                    .lines()
                    .filter(line -> line.matches(".* (WARN|ERROR) .*\\bio?\\.d(elayqueue)?\\..*"))
                    .toList();
            assertThat(warnings).hasSize(parts.length);
            for (int i = 0; i < parts.length; i++) {
                assertThat(warnings.get(i)).contains(parts[i]);
            }
        });
    }

    static class Listeners {

        @DelayQueueListener(queue = "orders")
        void order(String order) {}

        @DelayQueueListener(queue = "mails")
        void mail(String mail) {}
    }

    @Test
    void startWhenRedisIsDownAndComesBackAsAServerThatEvictsKeepsTheHealthDownUntilItDoesNot(CapturedOutput output) {
        try (RedisServer redis =
                RedisServer.embedded().config("maxmemory-policy allkeys-lru").start()) {
            redis.stop();
            at(redis)
                    .withConfiguration(AutoConfigurations.of(DelayQueueHealthAutoConfiguration.class))
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        HealthIndicator health = context.getBean(HealthIndicator.class);
                        redis.start();
                        await().atMost(Duration.ofSeconds(15))
                                .untilAsserted(() -> assertThat(String.valueOf(health.health(true)))
                                        .contains("DOWN", "runs scripts", "maxmemory-policy is 'allkeys-lru'"));
                        assertThat(output.toString().lines())
                                .filteredOn(line -> line.contains("ERROR") && line.contains("'allkeys-lru'"))
                                .hasSize(1);
                        setNoEviction(redis);
                        await().atMost(Duration.ofSeconds(15))
                                .untilAsserted(() ->
                                        assertThat(health.health().getStatus()).isEqualTo(Status.UP));
                    });
        }
    }

    private static void setNoEviction(RedisServer redis) {
        try (RedisClient client = RedisClient.create(RedisURI.create(redis.adminUri()));
                StatefulRedisConnection<String, String> admin = client.connect()) {
            admin.sync().configSet("maxmemory-policy", "noeviction");
        }
    }

    @Test
    void startWhenRedisIsDownAndTheShardingIsUnreadableClosesTheApplicationWhenThatIsFound(CapturedOutput output) {
        try (RedisServer redis =
                RedisServer.embedded().config("appendfsync always").start()) {
            at(redis).run(context -> redis(context).opsForValue().set(SHARDING_KEY, "3:whatever"));
            redis.stop();
            at(redis).run(context -> {
                assertThat(context).hasNotFailed();
                redis.start();
                await().atMost(Duration.ofSeconds(15))
                        .until(() -> !context.getSourceApplicationContext().isActive());
                assertThat(output).contains("Closing the application: Queue 'orders'");
            });
        }
    }

    private ApplicationContextRunner at(RedisServer redis) {
        return runner.withPropertyValues("spring.data.redis.url=" + redis.uri());
    }

    private static StringRedisTemplate redis(ApplicationContext context) {
        return context.getBean(StringRedisTemplate.class);
    }

    private static FailureAnalysis analyze(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        FailureAnalysis analysis = new DelayQueueFailureAnalyzer(null).analyze(context.getStartupFailure());
        assertThat(analysis).as("analysis of %s", context.getStartupFailure()).isNotNull();
        return analysis;
    }
}
