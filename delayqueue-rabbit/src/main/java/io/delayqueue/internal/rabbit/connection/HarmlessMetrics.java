// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.connection;

import com.rabbitmq.client.MetricsCollector;
import com.rabbitmq.client.NoOpMetricsCollector;
import io.delayqueue.internal.concurrent.Guard;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Protects the driver from exceptions of the application's metrics collector, and logs them once per class. The driver
 * calls the collector while it writes messages and on its reader thread, and would handle these exceptions as its own.
 */
final class HarmlessMetrics implements InvocationHandler {

    private static final Logger log = LoggerFactory.getLogger(HarmlessMetrics.class);

    private final MetricsCollector metrics;
    private final Set<Class<?>> told = ConcurrentHashMap.newKeySet();

    private HarmlessMetrics(MetricsCollector metrics) {
        this.metrics = metrics;
    }

    /** Returns a collector that forwards every call and never throws. */
    static @Nullable MetricsCollector around(@Nullable MetricsCollector metrics) {
        return (metrics == null || metrics.getClass() == NoOpMetricsCollector.class)
                ? metrics
                : (MetricsCollector) Proxy.newProxyInstance(
                        MetricsCollector.class.getClassLoader(),
                        new Class<?>[] {MetricsCollector.class},
                        new HarmlessMetrics(metrics));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return method.invoke(this, arguments);
        }
        try {
            method.invoke(metrics, arguments);
        } catch (InvocationTargetException ex) {
            Guard.tell(() -> tell(ex.getTargetException()));
        }
        return null;
    }

    private void tell(Throwable thrown) {
        if (told.add(thrown.getClass())) {
            log.warn(
                    "MetricsCollector {} of the RabbitMQ driver threw {}; its figures are wrong, but "
                            + "deliveries continue",
                    metrics.getClass().getName(),
                    thrown.getClass().getName());
        }
    }
}
