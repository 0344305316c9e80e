// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.internal.handler.DelayedTasks;
import io.delayqueue.internal.handler.RegisteredHandlers;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;

/**
 * Finds methods and classes annotated with {@link DelayQueueListener}, registers them as handlers after all singletons
 * are created, and closes their registrations when their beans are destroyed.
 */
public final class DelayQueueListenerBeanPostProcessor
        implements DestructionAwareBeanPostProcessor, SmartInitializingSingleton, BeanFactoryAware {

    private static final Logger log = LoggerFactory.getLogger(DelayQueueListenerBeanPostProcessor.class);

    private final ObjectProvider<RegisteredHandlers> registry;
    private final ObjectProvider<DelayedTasks> tasks;
    private final Queue<ListenerBean> waiting = new ConcurrentLinkedQueue<>();
    /** The beans, by the targets of their proxies: the container passes the target when it destroys a bean. */
    private final Map<Object, ListenerBean> found = Collections.synchronizedMap(new IdentityHashMap<>());

    private volatile boolean singletonsAreThere;
    private @Nullable ListenerScopes scopes;
    private @Nullable ListenerRegistrar registrar;

    /** Creates the post-processor from providers, so that it can be created before ordinary beans. */
    public DelayQueueListenerBeanPostProcessor(
            ObjectProvider<RegisteredHandlers> registry, ObjectProvider<DelayedTasks> tasks) {
        this.registry = registry;
        this.tasks = tasks;
    }

    /** Returns whether a class or its methods are annotated with {@link DelayQueueListener}. */
    public static boolean isListener(Class<?> type) {
        return !ListenerEndpoint.of(ClassUtils.getUserClass(type)).isEmpty();
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        Assert.isInstanceOf(ConfigurableListableBeanFactory.class, beanFactory);
        this.scopes = new ListenerScopes((ConfigurableListableBeanFactory) beanFactory);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        List<ListenerEndpoint> endpoints = ListenerEndpoint.of(AopUtils.getTargetClass(bean));
        if (endpoints.isEmpty() || ScopedProxyUtils.isScopedTarget(beanName)) {
            return bean;
        }
        scopes().check(bean, beanName);
        ListenerBean listener = new ListenerBean(bean, endpoints);
        found.put(target(bean), listener);
        waiting.add(listener);
        if (singletonsAreThere) {
            try {
                registerWaiting();
            } catch (RuntimeException ex) {
                found.remove(target(bean));
                throw ex;
            }
        }
        return bean;
    }

    /** Registers the beans found so far. Other beans, such as lazy ones, are registered when they are created. */
    @Override
    public void afterSingletonsInstantiated() {
        if (!singletonsAreThere) {
            listen(false);
        }
        registerWaiting();
    }

    /** @param started whether the container created its singletons before this post-processor */
    private void listen(boolean started) {
        List<String> missing = scopes().prepare(started, this::adopt);
        singletonsAreThere = true;
        registerWaiting();
        missing.forEach(this::warnOfMissing);
    }

    /** Registers a bean that the container may have created before it called this post-processor. */
    private void adopt(String name) {
        Object bean = scopes().beans().getBean(name);
        if (!found.containsKey(target(bean))) {
            postProcessAfterInitialization(bean, name);
        }
    }

    /** Registers the beans of a child context. The post-processors of its parents do not process these beans. */
    DelayQueueListenerBeanPostProcessor listenIn(ConfigurableListableBeanFactory child) {
        DelayQueueListenerBeanPostProcessor ofChild = new DelayQueueListenerBeanPostProcessor(registry, tasks);
        ofChild.setBeanFactory(child);
        child.addBeanPostProcessor(ofChild);
        try {
            ofChild.listen(true);
        } catch (RuntimeException ex) {
            ofChild.close();
            throw ex;
        }
        return ofChild;
    }

    void close() {
        List.copyOf(found.values()).forEach(ListenerBean::close);
        found.clear();
    }

    private void warnOfMissing(String name) {
        Class<?> type = scopes().beans().getType(name, false);
        if (type == null) {
            return;
        }
        Set<String> queues = new TreeSet<>();
        ListenerEndpoint.of(ClassUtils.getUserClass(type))
                .forEach(endpoint -> queues.addAll(registrar().queues(endpoint)));
        queues.removeAll(registry.getObject().queues());
        if (!queues.isEmpty()) {
            log.warn(
                    "The queues {} have @DelayQueueListener methods in bean '{}' of type {}, but no "
                            + "handler: the bean is lazy or in a scope without a proxy, and has not been "
                            + "created. Their tasks wait. Remove @Lazy, or add a proxy to the scope (proxyMode)",
                    queues,
                    name,
                    ClassUtils.getUserClass(type).getName());
        }
    }

    private void registerWaiting() {
        for (ListenerBean listener = waiting.poll(); listener != null; listener = waiting.poll()) {
            listener.register(registrar());
        }
    }

    private synchronized ListenerRegistrar registrar() {
        ListenerRegistrar made = registrar;
        if (made == null) {
            ConfigurableListableBeanFactory factory = scopes().beans();
            made = new ListenerRegistrar(
                    registry.getObject(),
                    new ListenerMethodFactory(factory, tasks.getObject()),
                    tasks.getObject(),
                    new ListenerAttributes(new EmbeddedValueResolver(factory), factory));
            registrar = made;
        }
        return made;
    }

    private ListenerScopes scopes() {
        return Objects.requireNonNull(scopes, "The container has not called setBeanFactory");
    }

    private static Object target(Object bean) {
        Object target = AopProxyUtils.getSingletonTarget(bean);
        return (target == null) ? bean : target(target);
    }

    @Override
    public boolean requiresDestruction(Object bean) {
        return found.containsKey(target(bean));
    }

    @Override
    public void postProcessBeforeDestruction(Object bean, String beanName) {
        ListenerBean listener = found.remove(target(bean));
        if (listener != null) {
            listener.close();
        }
    }
}
