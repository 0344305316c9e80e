// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.internal.rabbit.confirm.Outgoing;
import io.delayqueue.rabbit.RabbitAddress;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FatalMessagesTests {

    private final FatalMessages fatal = new FatalMessages();

    @Test
    void rememberWhenThereAreTooManyForgetsTheOldest() {
        for (int i = 0; i <= FatalMessages.MOST; i++) {
            fatal.remember(message("bad-" + i));
        }

        assertThat(fatal.takeApart(new ArrayList<>(List.of(message("bad-0"))))).isEmpty();
        assertThat(fatal.takeApart(new ArrayList<>(List.of(message("bad-1"))))).hasSize(1);
    }

    @Test
    void rememberWhenItIsKnownMakesItTheLastToBeForgotten() {
        for (int i = 0; i < FatalMessages.MOST; i++) {
            fatal.remember(message("bad-" + i));
        }
        fatal.remember(message("bad-0"));
        fatal.remember(message("another"));

        assertThat(fatal.takeApart(new ArrayList<>(List.of(message("bad-0"))))).hasSize(1);
        assertThat(fatal.takeApart(new ArrayList<>(List.of(message("bad-1"))))).isEmpty();
    }

    private static Outgoing message(String taskKey) {
        OpenDelivery delivery = (OpenDelivery) Proxy.newProxyInstance(
                FatalMessagesTests.class.getClassLoader(),
                new Class<?>[] {OpenDelivery.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "taskKey", "toString" -> taskKey;
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> taskKey.hashCode();
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        return new Outgoing(delivery, new RabbitAddress("shop", "order"), new AMQP.BasicProperties());
    }
}
