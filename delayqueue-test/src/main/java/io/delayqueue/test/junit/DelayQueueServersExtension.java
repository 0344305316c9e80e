// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.junit;

import io.delayqueue.test.server.EmbeddedAmqpBroker;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.util.Set;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Keeps the servers running that {@link DelayQueueServers} names and hands them to test methods. */
final class DelayQueueServersExtension implements BeforeAllCallback, BeforeEachCallback, ParameterResolver {

    private static final Set<Class<?>> HANDLES =
            Set.of(RedisServer.class, RabbitServer.class, EmbeddedAmqpBroker.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        // the session, not the plan: with forks, Surefire runs each class as a plan of its own
        context.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(DelayQueueServersExtension.class))
                .computeIfAbsent(SharedServers.class, key -> (AutoCloseable) SharedServers.INSTANCE::close);
        SharedServers.INSTANCE.start(annotation(context));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        SharedServers.INSTANCE.start(annotation(context));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return HANDLES.contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return SharedServers.INSTANCE.start(annotation(context)).stream()
                .filter(type::isInstance)
                .findFirst()
                .orElseThrow(() -> new ParameterResolutionException("@DelayQueueServers of "
                        + context.getRequiredTestClass().getName() + " asks for no " + type.getSimpleName()));
    }

    private static DelayQueueServers annotation(ExtensionContext context) {
        Class<?> testClass = context.getRequiredTestClass();
        for (Class<?> type = testClass; type != null; type = type.getEnclosingClass()) {
            var annotation = AnnotationSupport.findAnnotation(type, DelayQueueServers.class);
            if (annotation.isPresent()) {
                return annotation.get();
            }
        }
        throw new IllegalStateException(testClass.getName() + " has no @DelayQueueServers");
    }
}
