// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.MetricsCollector;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HarmlessMetricsTests {

    @Test
    void methodsOfTheDriversCollectorArePassedOnWithoutWhatTheyThrow() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        MetricsCollector application = (MetricsCollector) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {MetricsCollector.class}, (proxy, method, arguments) -> {
                    calls.incrementAndGet();
                    throw new NoSuchMethodError(method.getName());
                });
        MetricsCollector harmless = HarmlessMetrics.around(application);

        Method[] methods = MetricsCollector.class.getMethods();
        for (Method method : methods) {
            Object[] arguments = Arrays.stream(method.getParameterTypes())
                    .map(type -> type == long.class ? (Object) 1L : type == boolean.class ? (Object) true : null)
                    .toArray();
            method.invoke(harmless, arguments);
        }

        assertThat(calls).hasValue(methods.length);
    }
}
