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
 * Registers the listeners of child contexts. A context's post-processors do not see the beans of its children, but its
 * application listeners receive their events.
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
     * Returns {@code false} for contexts that register their own listeners, or whose listeners a nearer context
     * registers.
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

    /** Compares bean factories, because the parent of a child may be a proxy, as in tests of Spring Boot. */
    private boolean isOwn(ApplicationContext context) {
        return context.getAutowireCapableBeanFactory() == own.getAutowireCapableBeanFactory();
    }
}
