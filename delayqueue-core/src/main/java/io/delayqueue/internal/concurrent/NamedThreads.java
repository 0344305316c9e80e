// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** Makes the library's threads, whose names say what they are for: a prefix and a number that begins with 1. */
public final class NamedThreads {

    /** Creates the threads for background work that may block. */
    public static final ThreadFactory HOUSEKEEPING = daemons("delayqueue-housekeeping-");

    private NamedThreads() {}

    /** Threads that do not keep the JVM from ending. */
    public static ThreadFactory daemons(String prefix) {
        CustomizableThreadFactory threads = new CustomizableThreadFactory(prefix);
        threads.setDaemon(true);
        return threads;
    }

    /** Threads that keep the JVM from ending: they deliver. */
    public static ThreadFactory workers(String prefix) {
        return new CustomizableThreadFactory(prefix);
    }

    /** Daemons that inherit nothing from the thread that happens to need them, and see the library's classes. */
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
