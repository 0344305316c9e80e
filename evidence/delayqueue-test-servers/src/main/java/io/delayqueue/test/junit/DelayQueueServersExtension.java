// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.junit;

import io.delayqueue.test.server.DatabaseServer;
import io.delayqueue.test.server.EmbeddedAmqpBroker;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.test.server.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Keeps the servers of {@link DelayQueueServers} running and passes them to test methods. */
final class DelayQueueServersExtension implements BeforeAllCallback, BeforeEachCallback, ParameterResolver {

    private static final Set<Class<?>> HANDLES = Set.of(
            RedisServer.class, RabbitServer.class, EmbeddedAmqpBroker.class, DatabaseServer.class, TestDatabase.class);

    @Override
    public void beforeAll(ExtensionContext context) {
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
        if (type == TestDatabase.class) {
            return database(context);
        }
        return SharedServers.INSTANCE.start(annotation(context)).stream()
                .filter(type::isInstance)
                .findFirst()
                .orElseThrow(() -> new ParameterResolutionException("@DelayQueueServers of "
                        + context.getRequiredTestClass().getName() + " asks for no " + type.getSimpleName()));
    }

    /** Creates a database for the outermost class; nested classes share it. */
    private static TestDatabase database(ExtensionContext context) {
        List<Class<?>> classes = classes(context);
        String owner = classes.get(classes.size() - 1).getName();
        DelayQueueServers.Database kind = annotation(context).database();
        if (kind == DelayQueueServers.Database.NONE) {
            throw new ParameterResolutionException("@DelayQueueServers of " + owner + " asks for no database");
        }
        String name = "test_" + Integer.toHexString(owner.hashCode());
        return context.getRoot()
                .getStore(Namespace.create(DelayQueueServersExtension.class))
                .computeIfAbsent(
                        kind + owner,
                        key -> SharedServers.INSTANCE.database(kind).createDatabase(name),
                        TestDatabase.class);
    }

    private static DelayQueueServers annotation(ExtensionContext context) {
        return classes(context).stream()
                .flatMap(type -> AnnotationSupport.findAnnotation(type, DelayQueueServers.class).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        context.getRequiredTestClass().getName() + " has no @DelayQueueServers"));
    }

    /**
     * Returns the class of the test and its enclosing classes, the outermost last. Each is the class that runs, which
     * may be a subclass.
     */
    private static List<Class<?>> classes(ExtensionContext context) {
        List<Class<?>> classes = new ArrayList<>();
        for (Optional<ExtensionContext> at = Optional.of(context);
                at.isPresent();
                at = at.get().getParent()) {
            at.get().getTestClass().filter(type -> !classes.contains(type)).ifPresent(classes::add);
        }
        return classes;
    }
}
