// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.handler.HandlerRegistration;
import java.util.ArrayList;
import java.util.List;

/** A bean with listener methods, which are handlers until it is destroyed. Thread-safe. */
final class ListenerBean {

    private final Object bean;
    private final List<ListenerEndpoint> endpoints;
    private final List<HandlerRegistration> registrations = new ArrayList<>();
    private boolean over;

    /** @param bean the bean with its proxies */
    ListenerBean(Object bean, List<ListenerEndpoint> endpoints) {
        this.bean = bean;
        this.endpoints = endpoints;
    }

    /**
     * Registers all methods, or none if one of them fails. Does nothing if they are registered or the bean was
     * destroyed.
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

    /** Closes the registrations. Waits for running calls up to the close time-out. */
    synchronized void close() {
        over = true;
        registrations.forEach(HandlerRegistration::close);
        registrations.clear();
    }
}
