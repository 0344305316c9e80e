// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.delayqueue.Due;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.store.TestStores;
import io.lettuce.core.RedisCommandExecutionException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How many frames of this library lie between a call of an application and the script that it sends. */
class CallDepthTests {

    private static final int MOST = 16;
    private static final String QUEUE = "orders";
    private static final Due LATER = Due.after(Duration.ofMinutes(1));

    private static final Map<String, Consumer<DelayQueueTemplate>> CALLS = Map.ofEntries(
            Map.entry("schedule", template -> template.schedule(request("a"))),
            Map.entry(
                    "schedule of a payload",
                    template -> template.queue(QUEUE, String.class).schedule("payload", LATER)),
            Map.entry("scheduleAll", template -> template.scheduleAll(List.of(request("a"), request("b")))),
            Map.entry("cancel", template -> template.cancel(QUEUE, "a")),
            Map.entry("cancel of many", template -> template.cancel(QUEUE, List.of("a", "b"))),
            Map.entry("reschedule", template -> template.reschedule(QUEUE, "a", LATER)),
            Map.entry("updatePayload", template -> template.updatePayload(QUEUE, "a", "payload")),
            Map.entry("find", template -> template.find(QUEUE, "a", String.class)),
            Map.entry(
                    "typed schedule",
                    template -> template.queue(QUEUE, String.class).schedule("a", "payload", LATER)),
            Map.entry(
                    "typed cancel",
                    template -> template.queue(QUEUE, String.class).cancel("a")),
            Map.entry(
                    "typed scheduleAll",
                    template -> template.queue(QUEUE, String.class).scheduleAll(List.of(request("a"), request("b")))),
            Map.entry(
                    "typed cancel of many",
                    template -> template.queue(QUEUE, String.class).cancel(List.of("a", "b"))),
            Map.entry("reschedule of many", template -> template.reschedule(QUEUE, List.of("a", "b"), LATER)),
            Map.entry(
                    "cancel of a task of a group",
                    template -> template.group(QUEUE, "g").task("a").cancel()),
            Map.entry(
                    "async schedule",
                    template -> template.async().schedule(request("a")).join()),
            Map.entry(
                    "async cancel",
                    template -> template.async().cancel(QUEUE, "a").join()),
            Map.entry("group count", template -> template.group(QUEUE, "g").count()),
            Map.entry("group list", template -> template.group(QUEUE, "g").list("")),
            Map.entry("group cancel", template -> template.group(QUEUE, "g").cancel()),
            Map.entry("group shift", template -> template.group(QUEUE, "g").shift(Duration.ofMinutes(1))));

    private List<String> frames = List.of();

    static Set<String> calls() {
        return CALLS.keySet();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void callWhenItSendsItsScriptIsAFewFramesDeep(String call) {
        RedisConnections connections = mock(RedisConnections.class);
        when(connections.shared())
                .thenReturn(CompletableFuture.completedFuture(
                        connections.new SharedConnection(FakeRedis.answering(this::refuse), () -> {})));
        DelayQueueTemplate template = new DelayQueueTemplate(
                TestStores.of(connections, new RedisKeys("dq"), Duration.ofSeconds(5)),
                new QueueCatalog(List.of(QueueSettingsBuilder.withDefaults(QUEUE))),
                new PayloadCodecs(List.of()),
                TaskBounds.DEFAULT);

        assertThatThrownBy(() -> CALLS.get(call).accept(template)).hasMessageContaining("refused by the test");

        assertThat(frames).startsWith("Script.byHash").hasSizeLessThanOrEqualTo(MOST);
        assertThat(frames.get(frames.size() - 1))
                .matches("(DelayQueueOperations|DelayQueueTemplate|TypedQueue|GroupView|TaskHandle)\\b.*");
    }

    private static ScheduleRequest<String> request(String id) {
        return ScheduleRequest.to(QUEUE, "payload").id(id).due(LATER).build();
    }

    private CompletionStage<?> refuse() {
        frames = Arrays.stream(new Throwable().getStackTrace())
                .filter(frame -> frame.getClassName().startsWith("io.delayqueue."))
                .map(frame -> frame.getClassName().replaceAll(".*\\.", "") + "." + frame.getMethodName())
                .filter(frame -> !frame.startsWith("CallDepthTests") && !frame.startsWith("FakeRedis"))
                .toList();
        return CompletableFuture.failedFuture(new RedisCommandExecutionException("ERR refused by the test"));
    }
}
