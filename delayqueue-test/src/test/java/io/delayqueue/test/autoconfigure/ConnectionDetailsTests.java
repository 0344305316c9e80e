// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.test.AmqpServerConnectionDetails;
import io.delayqueue.internal.test.RedisServerConnectionDetails;
import java.net.URI;
import org.junit.jupiter.api.Test;

class ConnectionDetailsTests {

    @Test
    void redisDetailsComeFromTheAddress() {
        RedisServerConnectionDetails details =
                new RedisServerConnectionDetails(URI.create("redis://user:secret@redis.test:6380/3"));

        assertThat(details.getUsername()).isEqualTo("user");
        assertThat(details.getPassword()).isEqualTo("secret");
        assertThat(details.getStandalone().getHost()).isEqualTo("redis.test");
        assertThat(details.getStandalone().getPort()).isEqualTo(6380);
        assertThat(details.getStandalone().getDatabase()).isEqualTo(3);
    }

    @Test
    void redisDetailsWhenOnlyAPasswordIsGivenHaveNoUser() {
        RedisServerConnectionDetails details =
                new RedisServerConnectionDetails(URI.create("redis://:secret@redis.test"));

        assertThat(details.getUsername()).isNull();
        assertThat(details.getPassword()).isEqualTo("secret");
        assertThat(details.getStandalone().getPort()).isEqualTo(6379);
        assertThat(details.getStandalone().getDatabase()).isZero();
    }

    @Test
    void rabbitDetailsComeFromTheAddress() {
        AmqpServerConnectionDetails details =
                new AmqpServerConnectionDetails(URI.create("amqp://user:secret@rabbit.test/shop"));

        assertThat(details.getUsername()).isEqualTo("user");
        assertThat(details.getPassword()).isEqualTo("secret");
        assertThat(details.getVirtualHost()).isEqualTo("shop");
        assertThat(details.getFirstAddress().host()).isEqualTo("rabbit.test");
        assertThat(details.getFirstAddress().port()).isEqualTo(5672);
    }
}
