// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.junit;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Registered in {@code META-INF/spring.factories}; customizes the contexts of classes with {@link DelayQueueServers}.
 */
final class ServersContextCustomizerFactory implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configAttributes) {
        DelayQueueServers annotation =
                TestContextAnnotationUtils.findMergedAnnotation(testClass, DelayQueueServers.class);
        return annotation == null ? null : new ServersContextCustomizer(annotation.redis(), annotation.rabbit());
    }
}
