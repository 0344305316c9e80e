// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** Creates the library's threads. Their names consist of a prefix and a number from 1. */
public final class NamedThreads {

    /** Creates the threads for background work that may block. */
    public static final ThreadFactory HOUSEKEEPING = daemons("delayqueue-housekeeping-");

    private NamedThreads() {}

    /** Creates threads that do not keep the JVM alive. */
    public static ThreadFactory daemons(String prefix) {
        CustomizableThreadFactory threads = new CustomizableThreadFactory(prefix);
        threads.setDaemon(true);
        return threads;
    }

    /** Creates daemon threads that inherit nothing from the creating thread and use the library's class loader. */
    public static ThreadFactory bareDaemons(String prefix) {
        AtomicInteger number = new AtomicInteger();
        ClassLoader loader = NamedThreads.class.getClassLoader();
        return step -> {
            Thread thread = new Thread(null, step, prefix + number.incrementAndGet(), 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(loader);
            return thread;
        };
    }
}
