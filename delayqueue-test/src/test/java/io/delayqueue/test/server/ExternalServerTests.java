// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.URI;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ExternalServerTests {

    @Test
    void commandsAreRefusedWithTheVariableToRemove() {
        RabbitServer rabbit = new ExternalRabbit(URI.create("amqp://user:secret@broker.test:5673"));
        List<ThrowingCallable> commands = List.of(
                rabbit::stop,
                rabbit::kill,
                rabbit::restart,
                rabbit::suspend,
                rabbit::resume,
                rabbit::pid,
                () -> rabbit.ctl("status"));

        assertThat(commands)
                .allSatisfy(command -> assertThatExceptionOfType(UnsupportedOperationException.class)
                        .isThrownBy(command)
                        .withMessageContaining("DELAYQUEUE_TEST_RABBITMQ_URI")
                        .withMessageContaining("broker.test:5673")
                        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret")));
    }

    @Test
    void portWhenTheAddressHasNoneIsTheDefault() {
        assertThat(new ExternalRabbit(URI.create("amqp://broker.test")).port()).isEqualTo(5672);
        assertThat(new ExternalRedis(URI.create("redis://redis.test")).port()).isEqualTo(6379);
    }

    @Test
    void startWhenNothingAnswersTellsTheVariable() {
        try (RedisServer redis = new ExternalRedis(URI.create("redis://127.0.0.1:1"))) {
            assertThatExceptionOfType(TestServerException.class)
                    .isThrownBy(redis::start)
                    .withMessageContaining("DELAYQUEUE_TEST_REDIS_URI");
        }
    }
}
