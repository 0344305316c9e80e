// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DeliveryInterceptor;
import io.delayqueue.internal.concurrent.Guard;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The interceptors of an application, in order. Logs anything that {@code after} and {@code error} throw, including
 * {@code Error}s, and continues.
 */
public record InterceptorChain(List<DeliveryInterceptor> interceptors) {

    /** No interceptors. */
    public static final InterceptorChain EMPTY = new InterceptorChain(List.of());

    private static final Logger log = LoggerFactory.getLogger(InterceptorChain.class);

    public InterceptorChain {
        interceptors = List.copyOf(interceptors);
    }

    /** Returns a chain with another, innermost interceptor. */
    public InterceptorChain with(DeliveryInterceptor last) {
        List<DeliveryInterceptor> all = new ArrayList<>(interceptors);
        all.add(last);
        return new InterceptorChain(all);
    }

    boolean isEmpty() {
        return interceptors.isEmpty();
    }

    /**
     * Calls {@code before}. If an interceptor throws, notifies the preceding interceptors and rethrows the exception.
     */
    public void before(Delivery delivery) {
        for (int i = 0; i < interceptors.size(); i++) {
            try {
                interceptors.get(i).before(delivery);
            } catch (Throwable ex) {
                error(delivery, ex, i);
                throw ex;
            }
        }
    }

    /** Calls {@code after} for a delivery, after {@link #before} has returned for it. */
    public void after(Delivery delivery) {
        for (int i = interceptors.size() - 1; i >= 0; i--) {
            try {
                interceptors.get(i).after(delivery);
            } catch (Throwable ex) {
                Guard.tell(() -> log.warn("An interceptor threw an exception from after(...), for {}", delivery, ex));
            }
        }
    }

    /** Calls {@code error} for a delivery, after {@link #before} has returned for it. */
    public void error(Delivery delivery, Throwable error) {
        error(delivery, error, interceptors.size());
    }

    private void error(Delivery delivery, Throwable error, int count) {
        for (int i = count - 1; i >= 0; i--) {
            try {
                interceptors.get(i).error(delivery, error);
            } catch (Throwable ex) {
                Guard.tell(() -> log.warn("An interceptor threw an exception from error(...), for {}", delivery, ex));
            }
        }
    }
}
