// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.DelayQueueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Knows how long beans with listener methods live. A queue has one handler, so that beans of which there may be many
 * are refused. Of a bean behind a scoped proxy the proxy listens, and asks for the bean of the moment at each call.
 */
final class ListenerScopes {

    /** Bound to what no thread that handles tasks is in. */
    private static final Set<String> OF_OTHER_THREADS = Set.of("request", "session", "websocket");

    private final ConfigurableListableBeanFactory beans;

    ListenerScopes(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Refuses definitions whose listeners could not work, and finds the beans that a post-processor does not see by itself:
     * products of factory beans, which nobody else makes at the start and Spring Cloud hides from post-processors, and, in
     * a container that had started before, all others.
     *
     * @param started whether the container had made its singletons before it had the post-processor
     * @param toBeMade is given the names of such beans
     * @return the names of those that are not there yet, such as lazy ones
     */
    List<String> prepare(boolean started, Consumer<String> toBeMade) {
        List<String> missing = new ArrayList<>();
        for (String name : beans.getBeanDefinitionNames()) {
            BeanDefinition definition = beans.getMergedBeanDefinition(name);
            if (definition.isAbstract()) {
                continue;
            }
            boolean product = beans.isFactoryBean(name);
            boolean seen = !started && !product && definition.isSingleton() && !definition.isLazyInit();
            if (seen || !listens(name)) {
                continue;
            }
            check(name);
            if (hasScopedProxy(name)) {
                continue; // its proxy listens
            }
            if (!beans.isSingleton(name) || (definition.isLazyInit() && !beans.containsSingleton(name))) {
                missing.add(name);
            } else if (started || product) {
                toBeMade.accept(name);
            }
        }
        return missing;
    }

    private boolean listens(String name) {
        Class<?> type = beans.getType(name, false);
        return type != null
                && !ListenerEndpoint.of(ClassUtils.getUserClass(type)).isEmpty();
    }

    /** Whether it is a proxy of this bean that listens. */
    boolean hasScopedProxy(String name) {
        return ScopedProxyUtils.isScopedTarget(name);
    }

    /** Refuses a bean that was made when nobody had asked for it at the start, as by its class. */
    void check(Object bean, String name) {
        check((bean instanceof FactoryBean) ? BeanFactory.FACTORY_BEAN_PREFIX + name : name);
    }

    private void check(String name) {
        String scope = beans.containsBeanDefinition(name)
                ? beans.getMergedBeanDefinition(name).getScope()
                : null;
        if (scope != null && OF_OTHER_THREADS.contains(scope)) {
            throw refused(
                    name,
                    "has the scope '" + scope
                            + "', in which no thread is that handles tasks. Make it a singleton, without"
                            + " that scope");
        }
        if (!hasScopedProxy(name) && beans.containsBean(name) && beans.isPrototype(name)) {
            throw refused(
                    name,
                    "is a prototype: each one that is made would be another handler of the same queue. Make it a"
                            + " singleton, or give its scope a proxy (proxyMode) for a new one for each task");
        }
    }

    private DelayQueueException refused(String name, String why) {
        Class<?> type = beans.getType(name, false);
        return new DelayQueueException(
                "The bean '" + name + "'" + of(type) + " has @DelayQueueListener methods and " + why);
    }

    private static String of(@Nullable Class<?> type) {
        return (type == null) ? "" : " of type " + ClassUtils.getUserClass(type).getName();
    }
}
