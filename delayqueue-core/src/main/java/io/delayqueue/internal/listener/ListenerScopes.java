// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.DelayQueueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Checks the scopes of beans with listener methods. A queue has one handler, so beans with several instances are
 * rejected. For a bean with a scoped proxy, the proxy is registered and resolves the current bean for each call.
 */
record ListenerScopes(ConfigurableListableBeanFactory beans) {

    /** Scopes that are bound to other threads than those that handle tasks. */
    private static final Set<String> OF_OTHER_THREADS = Set.of("request", "session", "websocket");

    /**
     * Rejects bean definitions whose listeners could not work. Finds the beans that a post-processor does not process:
     * products of factory beans, because nothing else creates them at startup and Spring Cloud hides them from
     * post-processors. If the container had already started, also finds all other beans.
     *
     * @param started whether the container created its singletons before the post-processor
     * @param toBeMade receives the names of the beans to create
     * @return the names of beans that do not exist yet, such as lazy beans
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
            if (ScopedProxyUtils.isScopedTarget(name)) {
                continue; // The proxy of this bean is registered.
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
        return type != null && DelayQueueListenerBeanPostProcessor.isListener(type);
    }

    /** Rejects a bean that was not recognized at startup, for example because its class was unknown. */
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
                    "is in scope '" + scope
                            + "', which is not active on threads that handle tasks. Make it a singleton");
        }
        if (!ScopedProxyUtils.isScopedTarget(name) && beans.containsBean(name) && beans.isPrototype(name)) {
            throw refused(
                    name,
                    "is a prototype, so each instance would be another handler of the same queue. Make "
                            + "it a singleton, or give its scope a proxy (proxyMode) to get a new instance for "
                            + "each task");
        }
    }

    private DelayQueueException refused(String name, String why) {
        Class<?> type = beans.getType(name, false);
        String ofType = (type == null)
                ? ""
                : " of type " + ClassUtils.getUserClass(type).getName();
        return new DelayQueueException(
                "The bean '" + name + "'" + ofType + " has @DelayQueueListener methods and " + why);
    }
}
