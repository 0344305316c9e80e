// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis;

import io.delayqueue.DelayQueueException;
import io.delayqueue.autoconfigure.DelayQueueProperties;
import io.delayqueue.internal.autoconfigure.settings.BuiltAs;
import io.delayqueue.internal.sharding.QueueLayouts;
import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.queue.QueueCatalog;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * In place of Redis where {@code delayqueue.enabled} is {@code false}: the application starts and connects to nothing, and
 * whatever would go to Redis is refused. A task that was silently dropped would never be missed.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "delayqueue.enabled", havingValue = false)
@ImportRuntimeHints(DisabledConfiguration.Hints.class)
public class DisabledConfiguration {

    @Bean
    public TaskStore delayQueueTaskStore(DelayQueueProperties properties) {
        BuiltAs.check(properties, false);
        return refusing(TaskStore.class);
    }

    @Bean
    QueueLayouts delayQueueLayouts(QueueCatalog queues) {
        return QueueLayouts.fixed(queues);
    }

    @Bean
    WakeSignals delayQueueWakeSignals() {
        return refusing(WakeSignals.class);
    }

    @Bean
    ShardOwnership delayQueueShardOwnership() {
        return refusing(ShardOwnership.class);
    }

    private static <T> T refusing(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                DisabledConfiguration.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return switch (method.getName()) {
                            case "equals" -> proxy == arguments[0];
                            case "hashCode" -> System.identityHashCode(proxy);
                            default -> type.getSimpleName() + " that is turned off";
                        };
                    }
                    if (method.isDefault()) {
                        return InvocationHandler.invokeDefault(proxy, method, arguments);
                    }
                    if (isRole(method)) {
                        return refusing(method.getReturnType());
                    }
                    DelayQueueException refusal = new DelayQueueException("The delay queues are turned off"
                            + " (delayqueue.enabled is false): nothing is scheduled, changed, found or delivered");
                    if (CompletableFuture.class.isAssignableFrom(method.getReturnType())) {
                        return CompletableFuture.failedFuture(refusal);
                    }
                    throw refusal;
                }));
    }

    /** Whether it answers a part of the store, such as that for dead tasks. */
    private static boolean isRole(Method method) {
        return method.getParameterCount() == 0
                && method.getReturnType().isInterface()
                && method.getReturnType().getPackage() == TaskStore.class.getPackage();
    }

    /** Tells an ahead-of-time build of the interfaces that are stood in for. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            Stream.concat(
                            Stream.of(TaskStore.class, WakeSignals.class, ShardOwnership.class),
                            Stream.of(TaskStore.class.getMethods())
                                    .filter(DisabledConfiguration::isRole)
                                    .map(Method::getReturnType))
                    .forEach(type -> hints.proxies().registerJdkProxy(type));
        }
    }
}
