// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * How much of this JVM's heap is in use after garbage collections. While it watches it does not ask for any, which
 * would stop everything for a moment, so what it sees then may hold garbage among what is old.
 */
final class HeapGauge {

    private final AtomicLong most = new AtomicLong();
    private final NotificationListener listener = (notification, handback) -> noted(notification);

    /** Bytes in use after a full collection. Ends watching. */
    long collected() {
        ManagementFactory.getGarbageCollectorMXBeans().forEach(this::leave);
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** From now on notes what is in use after each collection. */
    void watch() {
        ManagementFactory.getGarbageCollectorMXBeans()
                .forEach(collector -> ((NotificationEmitter) collector).addNotificationListener(listener, null, null));
    }

    /** Returns the most bytes that it saw; 0 if there was no collection. */
    long most() {
        return most.get();
    }

    private void leave(GarbageCollectorMXBean collector) {
        try {
            ((NotificationEmitter) collector).removeNotificationListener(listener);
        } catch (ListenerNotFoundException ex) {
            // it did not watch
        }
    }

    private void noted(Notification notification) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            var info = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
            long heap = info.getGcInfo().getMemoryUsageAfterGc().entrySet().stream()
                    .filter(pool -> isHeap(pool.getKey()))
                    .map(Map.Entry::getValue)
                    .mapToLong(MemoryUsage::getUsed)
                    .sum();
            most.accumulateAndGet(heap, Math::max);
        }
    }

    private static boolean isHeap(String pool) {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .anyMatch(bean -> bean.getName().equals(pool) && bean.getType() == MemoryType.HEAP);
    }
}
