// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.internal.queue.QueueNames;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Adds the kit and separate Redis keys to a context. A record, so that tests with equal settings share a cached
 * context. Each new context has a different prefix.
 *
 * @param clock whether the kit's clock is the application's clock
 * @param queues the queues to add
 * @param components the component classes to add
 */
record KitContextCustomizer(boolean clock, Set<String> queues, Set<Class<?>> components) implements ContextCustomizer {

    private static final String FIRST = "delayqueue test kit";
    private static final String LAST = "delayqueue test kit, defaults";

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        MutablePropertySources sources = context.getEnvironment().getPropertySources();
        String prefix = "dqtest-" + UUID.randomUUID();
        sources.addFirst(new MapPropertySource(FIRST, Map.of("delayqueue.key-prefix", prefix)));
        Map<String, Object> defaults = new HashMap<>();
        defaults.put("delayqueue.test.embedded.redis", "true");
        queues.forEach(queue -> defaults.put(QueueNames.property(queue), ""));
        sources.addLast(new MapPropertySource(LAST, defaults));
        AnnotatedBeanDefinitionReader beans =
                new AnnotatedBeanDefinitionReader((BeanDefinitionRegistry) context.getBeanFactory());
        beans.register(KitConfiguration.class);
        if (clock) {
            beans.register(KitConfiguration.ApplicationClock.class);
        }
        components.forEach(beans::registerBean);
    }
}
