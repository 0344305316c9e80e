// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.TaskStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Counts the acquires of this library, and those without tasks. */
public final class AcquireCounts implements BeanPostProcessor {

    private final LongAdder all = new LongAdder();
    private final LongAdder empty = new LongAdder();

    public long all() {
        return all.sum();
    }

    /** Returns the number of acquires without tasks. */
    public long empty() {
        return empty.sum();
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof TaskStore store)) {
            return bean;
        }
        return InterceptedStore.aroundLeases(store, call -> {
            Object answer = call.proceed();
            if (call.getMethod().getName().equals("acquire") && answer instanceof CompletableFuture<?> future) {
                all.increment();
                return future.thenApply(this::counted);
            }
            return answer;
        });
    }

    private Object counted(Object answer) {
        if (answer instanceof Acquisition acquisition && acquisition.tasks().isEmpty()) {
            empty.increment();
        }
        return answer;
    }
}
