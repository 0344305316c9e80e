// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.publisher;

import io.delayqueue.rabbit.RabbitMessageCustomizer;
import io.delayqueue.rabbit.RabbitRouter;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.util.ReflectionUtils;

/**
 * The beans with which an application extends triggers. Finds the same beans as an injection point: no targets of
 * scoped proxies, and only autowire candidates.
 */
public final class TriggerExtensions {

    private @Nullable List<RabbitMessageCustomizer> customizers;
    private @Nullable List<RabbitRouter> routers;

    private TriggerExtensions() {}

    /** Returns the extensions in a bean factory and its parents, in their order. */
    public static TriggerExtensions of(BeanFactory beans) {
        TriggerExtensions extensions = new TriggerExtensions();
        if (beans instanceof AutowireCapableBeanFactory factory) {
            for (Field field : fields()) {
                Object found = factory.resolveDependency(new DependencyDescriptor(field, false), null);
                ReflectionUtils.setField(field, extensions, found);
            }
        }
        return extensions;
    }

    private static List<Field> fields() {
        return List.of(field("customizers"), field("routers"));
    }

    private static Field field(String name) {
        Field field = Objects.requireNonNull(ReflectionUtils.findField(TriggerExtensions.class, name));
        ReflectionUtils.makeAccessible(field);
        return field;
    }

    public List<RabbitMessageCustomizer> customizers() {
        return (customizers == null) ? List.of() : customizers;
    }

    public List<RabbitRouter> routers() {
        return (routers == null) ? List.of() : routers;
    }

    /** Registers the fields for native images. */
    public static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            fields().forEach(hints.reflection()::registerField);
        }
    }
}
