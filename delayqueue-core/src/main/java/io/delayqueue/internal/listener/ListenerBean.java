// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.handler.HandlerRegistration;
import java.util.ArrayList;
import java.util.List;

/** A bean that listens: its methods are handlers until it is destroyed. Safe for use by many threads. */
final class ListenerBean {

    private final Object bean;
    private final List<ListenerEndpoint> endpoints;
    private final List<HandlerRegistration> registrations = new ArrayList<>();
    private boolean over;

    /** @param bean as others see it, with its proxies */
    ListenerBean(Object bean, List<ListenerEndpoint> endpoints) {
        this.bean = bean;
        this.endpoints = endpoints;
    }

    /**
     * Registers all methods or, when one cannot be, none. Does nothing if that was done, or if the bean was destroyed.
     */
    synchronized void register(ListenerRegistrar registrar) {
        if (over || !registrations.isEmpty()) {
            return;
        }
        try {
            endpoints.forEach(endpoint -> registrar.register(bean, endpoint, registrations::add));
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
