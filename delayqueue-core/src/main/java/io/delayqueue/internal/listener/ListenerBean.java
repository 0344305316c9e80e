// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.HandlerRegistration;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A bean with listener methods: they are handlers until it is destroyed. Safe for use by many threads. */
final class ListenerBean {

    private final Object bean;
    private final Map<Method, DelayQueueListener> methods;
    private final List<HandlerRegistration> registrations = new ArrayList<>();
    private boolean over;

    /** @param bean as others see it, with its proxies */
    ListenerBean(Object bean, Map<Method, DelayQueueListener> methods) {
        this.bean = bean;
        this.methods = methods;
    }

    /**
     * Registers all methods or, when one cannot be, none. Does nothing if that was done, or if the bean was destroyed.
     */
    synchronized void register(ListenerRegistrar registrar) {
        if (over || !registrations.isEmpty()) {
            return;
        }
        try {
            methods.forEach((method, listener) -> registrations.add(registrar.register(bean, method, listener)));
        } catch (RuntimeException ex) {
            close();
            throw ex;
        }
    }

    /** Waits for running calls as long as the close time-out says. */
    synchronized void close() {
        over = true;
        registrations.forEach(HandlerRegistration::close);
        registrations.clear();
    }
}
