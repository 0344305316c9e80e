// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** How deep the stack is when a script is sent: each frame is one more to read when a call goes wrong. */
class ScriptDepthTests {

    private static final int MOST_BETWEEN = 5;

    private List<String> frames = List.of();

    @Test
    void runWhenConnectedSendsTheScriptThroughAFewFramesOnTheCallersThread() {
        RedisConnections connections = mock(RedisConnections.class);
        when(connections.shared())
                .thenReturn(CompletableFuture.completedFuture(
                        connections.new SharedConnection(FakeRedis.answering(this::answer), () -> {})));
        ScriptRunner runner = new ScriptRunner(connections, Duration.ofSeconds(5), Duration.ofSeconds(1));

        CompletableFuture<String> reply =
                runner.run(ScriptRequest.of(Script.FIND, new RedisKeys("dq").ofShard("orders", 0), "a call"));

        assertThat(reply).isCompletedWithValue("answer");
        int sent = frames.indexOf("Script.byHash");
        int begun = frames.lastIndexOf("ScriptRunner.run");
        assertThat(frames.subList(sent + 1, begun)).hasSizeLessThanOrEqualTo(MOST_BETWEEN);
    }

    private CompletionStage<?> answer() {
        frames = Arrays.stream(new Throwable().getStackTrace())
                .filter(frame -> frame.getClassName().startsWith("io.delayqueue."))
                .map(frame -> frame.getClassName().replaceAll(".*\\.", "") + "." + frame.getMethodName())
                .toList();
        return CompletableFuture.completedFuture("answer");
    }
}
