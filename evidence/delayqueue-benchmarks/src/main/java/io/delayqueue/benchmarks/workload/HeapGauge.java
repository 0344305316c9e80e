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
 * The used heap of this JVM after garbage collections. During a watch, it does not request collections, because they
 * would pause the JVM, so the values may include old garbage.
 */
final class HeapGauge {

    private final AtomicLong most = new AtomicLong();
    private final NotificationListener listener = (notification, handback) -> noted(notification);

    /** Returns the used bytes after a full collection. Ends the watch. */
    long collected() {
        ManagementFactory.getGarbageCollectorMXBeans().forEach(this::leave);
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Records the used bytes after each collection from now on. */
    void watch() {
        ManagementFactory.getGarbageCollectorMXBeans()
                .forEach(collector -> ((NotificationEmitter) collector).addNotificationListener(listener, null, null));
    }

    /** Returns the maximum of the recorded values; 0 if there was no collection. */
    long most() {
        return most.get();
    }

    private void leave(GarbageCollectorMXBean collector) {
        try {
            ((NotificationEmitter) collector).removeNotificationListener(listener);
        } catch (ListenerNotFoundException ex) {
            // There was no watch.
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
