// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ApplicationContextEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Registers the listeners of child contexts. A context's post-processors do not process the beans of its child
 * contexts, but its application listeners receive events of those contexts.
 */
public final class ChildContextListeners implements ApplicationListener<ApplicationContextEvent> {

    private final ApplicationContext own;
    private final DelayQueueListenerBeanPostProcessor listeners;
    private final Map<ApplicationContext, DelayQueueListenerBeanPostProcessor> children =
            Collections.synchronizedMap(new WeakHashMap<>());

    /** @param own the parent context */
    public ChildContextListeners(ApplicationContext own, DelayQueueListenerBeanPostProcessor listeners) {
        this.own = own;
        this.listeners = listeners;
    }

    @Override
    public void onApplicationEvent(ApplicationContextEvent event) {
        ApplicationContext context = event.getApplicationContext();
        if (event instanceof ContextRefreshedEvent && isNearest(context)) {
            children.put(context, listeners.listenIn(((ConfigurableApplicationContext) context).getBeanFactory()));
        } else if (event instanceof ContextClosedEvent) {
            DelayQueueListenerBeanPostProcessor ofChild = children.remove(context);
            if (ofChild != null) {
                ofChild.close();
            }
        }
    }

    /**
     * Returns whether this context must register the child's listeners: not if the child or a nearer context registers
     * them.
     */
    private boolean isNearest(ApplicationContext child) {
        ApplicationContext each = child;
        while (each != null && !isOwn(each)) {
            if (!(each instanceof ConfigurableApplicationContext)
                    || each.getBeanNamesForType(ChildContextListeners.class, true, false).length > 0) {
                return false;
            }
            each = each.getParent();
        }
        return each != null && each != child;
    }

    /**
     * Returns whether a context is the parent context. Compares bean factories, because the parent of a child may be a
     * proxy, as in tests with Spring Boot.
     */
    private boolean isOwn(ApplicationContext context) {
        return context.getAutowireCapableBeanFactory() == own.getAutowireCapableBeanFactory();
    }
}
