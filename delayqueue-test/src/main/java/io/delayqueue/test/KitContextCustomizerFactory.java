// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Adds a kit to the contexts of test classes that request one. Registered in {@code META-INF/spring.factories}. */
final class KitContextCustomizerFactory implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configAttributes) {
        AutoConfigureDelayQueueTest kit =
                TestContextAnnotationUtils.findMergedAnnotation(testClass, AutoConfigureDelayQueueTest.class);
        if (kit == null) {
            return null;
        }
        DelayQueueTest slice = TestContextAnnotationUtils.findMergedAnnotation(testClass, DelayQueueTest.class);
        return new KitContextCustomizer(
                kit.clock(), distinct(kit.queues()), (slice == null) ? Set.of() : distinct(slice.value()));
    }

    private static <T> Set<T> distinct(T[] values) {
        return new LinkedHashSet<>(Arrays.asList(values));
    }
}
