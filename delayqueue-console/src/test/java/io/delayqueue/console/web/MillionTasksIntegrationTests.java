// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.web;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/**
 * The console with a million tasks that wait. Times are those of whole requests on this machine, and medians, since a
 * machine that is busy with something else may stop any of them for a while.
 */
@Tag("long")
@SpringBootTest(
        classes = StaffApplication.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "delayqueue.queues.mails.shards=4",
            "delayqueue.queues.orders.shards=1",
            "delayqueue.console.roles=" + StaffApplication.MAY_ENTER
        })
@DelayQueueServers(redis = DelayQueueServers.Redis.INSTALLED)
class MillionTasksIntegrationTests {

    private static final Logger log = LoggerFactory.getLogger(MillionTasksIntegrationTests.class);

    private static final int TASKS = 1_000_000;
    private static final int BATCH = 500;
    private static final int TIMES = 25;

    /** The number of requests for the page that searches all tasks, in steps. */
    private static final int TIMES_THROUGH_ALL = 1;

    private static final int ROUNDS = 5;
    private static final long SLOW_MICROS = 10_000;

    private final HttpClient client = HttpClient.newHttpClient();

    @LocalServerPort
    private int port;

    @Autowired
    private DelayQueueOperations tasks;

    @Autowired
    private DelayQueueAdmin admin;

    @Test
    void pagesAreQuickAndNoScriptIsSlow(RedisServer redis) {
        scheduleAll();
        RedisClient admins = RedisClient.create(redis.adminUri().toString());
        try (StatefulRedisConnection<String, String> connection = admins.connect()) {
            await().atMost(Duration.ofMinutes(2)).until(() -> isQuiet(connection));
            connection.sync().configSet("slowlog-log-slower-than", String.valueOf(SLOW_MICROS));
            connection.sync().configSet("slowlog-max-len", "10000");

            Map<String, Long> medians = new LinkedHashMap<>();
            Map<String, Integer> slowRounds = new TreeMap<>();
            for (int round = 0; round < ROUNDS; round++) {
                connection.sync().slowlogReset();
                pages().forEach((name, path) -> medians.merge(name, median(path, times(name)), Math::min));
                slow(connection).forEach(script -> slowRounds.merge(script, 1, Integer::sum));
            }
            log.info(
                    "with {} tasks, median microseconds of {} requests, least of {} rounds: {}",
                    TASKS,
                    TIMES,
                    ROUNDS,
                    medians);
            log.info("scripts over {} microseconds, and in how many of {} rounds: {}", SLOW_MICROS, ROUNDS, slowRounds);

            assertThat(medians.get("queues")).as("all queues").isLessThan(300_000);
            assertThat(medians.get("queue")).as("one queue").isLessThan(300_000);
            assertThat(medians.get("search")).as("search").isLessThan(20_000);
            assertThat(slowRounds.values()).as(slowRounds.toString()).allMatch(rounds -> rounds <= ROUNDS / 2);
        } finally {
            admins.shutdown(Duration.ZERO, Duration.ofSeconds(2));
            admin.purge("mails", "mails");
        }
    }

    private static Map<String, IntFunction<String>> pages() {
        Map<String, IntFunction<String>> pages = new LinkedHashMap<>();
        pages.put("queues", i -> "/");
        pages.put("queue", i -> "/queues/mails");
        pages.put("histogram-of-a-year", i -> "/queues/mails?zoom=year");
        pages.put("search", i -> "/search?id=order-" + (i * 37_813 % TASKS));
        pages.put("search-in-vain", i -> "/search?id=none-" + i);
        pages.put("task", i -> "/queues/mails/task?id=order-" + (i * 37_813 % TASKS));
        pages.put("tasks", i -> "/queues/mails/tasks");
        pages.put("tasks-of-a-window", i -> "/queues/mails/tasks?from=" + i + "d&until=" + (i + 1) + "d");
        pages.put("tasks-by-id-prefix", i -> "/queues/mails/tasks?idPrefix=order-7777");
        return pages;
    }

    private void scheduleAll() {
        long begin = System.nanoTime();
        Instant first = Instant.now().plus(Duration.ofMinutes(30));
        long apart = Duration.ofDays(60).toMillis() / TASKS;
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<CompletableFuture<?>> batches = new ArrayList<>();
            for (int from = 0; from < TASKS; from += BATCH) {
                int begins = from;
                batches.add(CompletableFuture.runAsync(
                        () -> tasks.scheduleAll(IntStream.range(begins, begins + BATCH)
                                .mapToObj(i -> requestTo("mails", "order-" + i, "p", first.plusMillis(i * apart)))
                                .toList()),
                        threads));
            }
            batches.forEach(CompletableFuture::join);
        } finally {
            threads.shutdown();
        }
        log.info("scheduled {} tasks in {} ms", TASKS, (System.nanoTime() - begin) / 1_000_000);
        assertThat(admin.stats("mails").delayed()).isEqualTo(TASKS);
    }

    private static boolean isQuiet(StatefulRedisConnection<String, String> connection) {
        String persistence = connection.sync().info("persistence");
        return persistence.contains("rdb_bgsave_in_progress:0") && persistence.contains("aof_rewrite_in_progress:0");
    }

    private static int times(String page) {
        return page.equals("tasks-by-id-prefix") ? TIMES_THROUGH_ALL : TIMES;
    }

    /** Of whole requests, in microseconds. */
    private long median(IntFunction<String> path, int times) {
        long[] micros =
                LongStream.range(0, times).map(i -> micros(path.apply((int) i))).toArray();
        Arrays.sort(micros);
        return micros[times / 2];
    }

    private long micros(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/delayqueue" + path))
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString("read:read".getBytes(StandardCharsets.UTF_8)))
                .build();
        long begin = System.nanoTime();
        try {
            HttpResponse<String> page = client.send(request, BodyHandlers.ofString());
            long micros = (System.nanoTime() - begin) / 1000;
            assertThat(page.statusCode()).as(path).isEqualTo(200);
            return micros;
        } catch (IOException | InterruptedException ex) {
            throw new AssertionError(path, ex);
        }
    }

    /** The scripts in the log of what was slow, by the beginning of their calls. */
    private static Set<String> slow(StatefulRedisConnection<String, String> connection) {
        return connection.sync().slowlogGet(10_000).stream()
                .map(entry -> (List<?>) ((List<?>) entry).get(3))
                .map(call -> call.stream().limit(4).map(String::valueOf).collect(Collectors.joining(" ")))
                .filter(call -> call.toUpperCase().startsWith("EVAL"))
                .collect(Collectors.toSet());
    }
}
