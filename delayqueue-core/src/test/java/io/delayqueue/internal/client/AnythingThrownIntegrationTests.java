// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.Due;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TransactionMode;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.codec.PayloadCodec;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.transaction.DeferredCall;
import io.delayqueue.internal.transaction.TransactionalCalls;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** What calls make of codecs and databases that throw what they like, and of arguments at the ends of their ranges. */
class AnythingThrownIntegrationTests {

    private static final Duration HOUR = Duration.ofHours(1);

    private final JacksonPayloadCodec json = new JacksonPayloadCodec(new JsonMapper());

    @AutoClose
    private final StoreFixture redis = new StoreFixture();

    private final DelayQueueTemplate plain = new DelayQueueTemplate(
            redis.store(),
            new QueueCatalog(List.of(QueueSettingsBuilder.withDefaults("orders"))),
            new PayloadCodecs(List.of(new Codec())),
            TaskBounds.DEFAULT);

    @Test
    void scheduleAsyncWhenTheCodecThrowsFailsTheStage() {
        for (Throwable thrown : List.of(new NullPointerException("codec"), new StackOverflowError("codec"))) {
            CompletionStage<?> stage = plain.async().schedule(request("a", thrown));
            assertThat(stage.toCompletableFuture())
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(PayloadConversionException.class)
                    .withCause(thrown);
        }
        assertThat(plain.find("orders", "a")).isEmpty();
    }

    @Test
    void asyncCallsWhenTheDatabaseThrowsInATransactionThrowIt() {
        RuntimeException thrown = new IllegalStateException("thrown");
        DelayQueueTemplate template = plain.within(mode -> new Calls(thrown), TransactionMode.OUTBOX);
        DelayQueueTemplate encoding = plain.within(mode -> new Calls(null), TransactionMode.OUTBOX);
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> template.async().schedule(request("a", "x")),
                () -> template.async().cancel("orders", "a"),
                () -> template.async().reschedule("orders", "a", Due.after(HOUR)))) {
            assertThatException().isThrownBy(call).isSameAs(thrown);
        }
        // the caller learns of bad input only from the stage
        assertThat(encoding.async().cancel("no such queue", "a")).failsWithin(Duration.ZERO);
        assertThat(encoding.async().schedule(request("a", thrown))).failsWithin(Duration.ZERO);
    }

    @Test
    void findWhenTheTypeIsPrimitiveAnswersItsObject() {
        plain.schedule(request("number", 7));
        plain.schedule(request("flag", true));

        assertThat(plain.find("orders", "number", int.class))
                .hasValueSatisfying(task -> assertThat(task.payload()).isEqualTo(7));
        assertThat(plain.queue("orders", boolean.class).find("flag"))
                .hasValueSatisfying(task -> assertThat(task.payload()).isTrue());
    }

    @Test
    void shiftWhenTheDurationIsExtremeIsRefused() {
        for (Duration by : List.of(
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofSeconds(Long.MAX_VALUE),
                Duration.ofMillis(Due.MAX_EPOCH_MILLIS + 1),
                Duration.ofMillis(-Due.MAX_EPOCH_MILLIS - 1))) {
            assertThatExceptionOfType(InvalidTaskException.class)
                    .as(by.toString())
                    .isThrownBy(() -> plain.group("orders", "g").shift(by));
        }
        plain.group("orders", "g").shift(Duration.ofMillis(-Due.MAX_EPOCH_MILLIS));
        plain.group("orders", "g").shift(Duration.ofMillis(Due.MAX_EPOCH_MILLIS));
    }

    private static ScheduleRequest<?> request(String id, Object payload) {
        return requestTo("orders", id, payload, HOUR);
    }

    /** Throws a payload that can be thrown. */
    private final class Codec implements PayloadCodec {

        @Override
        public String name() {
            return json.name();
        }

        @Override
        public String contentType() {
            return json.contentType();
        }

        @Override
        public byte[] encode(Object payload) {
            if (payload instanceof RuntimeException ex) {
                throw ex;
            }
            if (payload instanceof Error ex) {
                throw ex;
            }
            return json.encode(payload);
        }

        @Override
        public Object decode(byte[] payload, Type type) {
            return json.decode(payload, type);
        }
    }

    /** In a transaction always. */
    private record Calls(RuntimeException thrown) implements TransactionalCalls {

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void add(List<? extends DeferredCall<?>> calls) {
            if (thrown != null) {
                throw thrown;
            }
        }
    }
}
