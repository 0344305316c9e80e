// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.internal.concurrent.Scheduler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class TimeLimitTests {

    private static OpenDelivery delivery() {
        return (OpenDelivery) Proxy.newProxyInstance(
                OpenDelivery.class.getClassLoader(),
                new Class<?>[] {OpenDelivery.class},
                (proxy, method, args) -> method.getReturnType() == boolean.class
                        ? (Object) false
                        : method.getReturnType() == Optional.class ? Optional.empty() : null);
    }

    @Test
    void giveUpWhenTheThreadCannotBeReplacedEndsTheDeliveryNevertheless() {
        List<Throwable> givenUp = new CopyOnWriteArrayList<>();
        TimeLimit limit = new TimeLimit(
                Duration.ofMillis(50),
                new Scheduler(),
                thread -> {
                    throw new OutOfMemoryError("unable to create native thread");
                },
                (delivery, error) -> givenUp.add(error));

        CompletableFuture<TimeLimit.Attempt> begun = new CompletableFuture<>();
        new Thread(() -> begun.complete(limit.begin(List.of(delivery())))).start();
        TimeLimit.Attempt attempt = begun.join();
        await().atMost(Duration.ofSeconds(10)).until(() -> !givenUp.isEmpty());

        assertThat(givenUp).singleElement().isInstanceOf(HandlerTimeoutException.class);
        attempt.end(null);
        assertThat(attempt.isGivenUp()).isTrue();
    }
}
