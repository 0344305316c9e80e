// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import io.delayqueue.DelayQueueException;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.engine.QueueDelivery;
import io.delayqueue.internal.engine.RunningQueue;
import io.delayqueue.internal.queue.QueueNames;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.trigger.TriggerContext;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * Base class for beans that scan a queue and deliver its due tasks to a destination. A subclass names the queue and
 * creates the destination; everything else comes from the queue's settings.
 *
 * <p>A trigger starts with the application context, unless its settings disable that. While a trigger is running, the
 * JVM does not exit. Scanning uses no dedicated thread; the settings define the number of delivery threads. An
 * application has at most one trigger for a queue. Several processes can each have a trigger and share the work; only
 * one process holds the lease of a task.
 *
 * <p>A stop ends acquiring at once, waits for running deliveries up to the shutdown time-out and then interrupts them.
 * Tasks whose delivery has not started are released. If a delivery stops its own trigger, the stop neither awaits nor
 * interrupts this delivery, but a later stop by another thread does. If a delivery closes its application, its outcome
 * is ignored, and the task is redelivered when the lease has expired.
 *
 * <p>The bean may have a class-based proxy, for example for an aspect, which can intercept only the public methods. An
 * interface-based proxy is rejected at startup.
 */
public abstract class ScanTrigger implements BeanFactoryAware, SmartLifecycle, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(ScanTrigger.class);

    private final String queue;
    private final Object lifecycle = new Object();
    private @Nullable TriggerContext context;
    private @Nullable TaskDestination destination;
    /** Guarded by {@link #lifecycle} for writes. */
    private volatile @Nullable RunningQueue running;
    /** Stopped queues whose deliveries may still be running. */
    private final Set<RunningQueue> stopping = ConcurrentHashMap.newKeySet();

    /** @param queue name of a configured queue */
    protected ScanTrigger(String queue) {
        this.queue = QueueNames.check(queue);
    }

    /** Called by the container. Looks up the beans that all triggers share. */
    @Override
    public void setBeanFactory(BeanFactory beans) {
        this.context = beans.getBean(TriggerContext.class);
    }

    /**
     * Creates the destination. Called once, at the first start or {@link #scanOnce}. The destination is closed with
     * this bean.
     */
    protected abstract TaskDestination createDestination();

    /** Returns the name of the queue that this trigger scans. */
    public String queue() {
        return queue;
    }

    private QueueSettings settings() {
        return context().queues().get(queue);
    }

    /**
     * Acquires up to {@code limit} due tasks, delivers them on the calling thread and returns when they are settled.
     * Use it in a {@code @Scheduled} method or another scheduler, whether or not the trigger itself is running:
     * <pre>{@code
     * while (trigger.scanOnce(1000) == 1000) {}
     * }</pre>
     *
     * @param limit 1 to 1,000
     * @return the number of acquired tasks, regardless of their outcomes; also 0 if the destination accepts no tasks
     *     now
     * @throws io.delayqueue.TaskStoreException if Redis does not reply to an acquire in time
     */
    public int scanOnce(int limit) {
        return context().engine().scanOnce(delivery(), limit);
    }

    @Override
    public boolean isAutoStartup() {
        return settings().trigger().autoStartup();
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }

    @Override
    public void start() {
        synchronized (lifecycle) {
            if (running == null) {
                TriggerContext shared = context();
                QueueDelivery delivery = delivery();
                running = shared.engine().start(delivery, shared.virtualThreads(), shared.wakeSignals());
                log.info(
                        "Queue '{}': trigger started ({} threads)",
                        queue,
                        delivery.queue().trigger().concurrency());
            }
        }
    }

    /**
     * Stops the trigger. Does not wait for a delivery that calls this method itself: it continues as if the trigger
     * were still running. A later stop or {@link #destroy} waits for it, and for deliveries that another stop awaits.
     */
    @Override
    public void stop() {
        stop(Thread.currentThread());
    }

    private void stop(Thread stopper) {
        synchronized (lifecycle) {
            if (running != null) {
                stopping.add(running);
                running = null;
            }
        }
        stopping.removeIf(RunningQueue::hasEnded);
        stopping.forEach(RunningQueue::stopAcquiring);
        long began = System.nanoTime();
        stopping.removeIf(each -> each.stop(stopper, began));
    }

    /** Stops on a separate thread, or on the calling thread if none can be created. */
    @Override
    public void stop(Runnable callback) {
        Thread stopper = Thread.currentThread();
        Runnable stopping = () -> {
            try {
                stop(stopper);
            } finally {
                callback.run();
            }
        };
        try {
            new Thread(stopping, "delayqueue-" + queue + "-stop").start();
        } catch (Throwable ex) {
            log.debug("Queue '{}': no thread available to stop the trigger; stopping it on this thread", queue, ex);
            stopping.run();
        }
    }

    /**
     * Replaces a thread whose delivery hangs with a new thread. Tasks that the old thread has not started are released.
     * The number of hanging replaced threads is limited to the number of the queue's threads. Does not block.
     *
     * @param hung a thread with a delivery, which must not be able to end before this method returns
     * @return whether the thread was replaced; {@code false} if too many threads hang or it is not a thread of this
     *     trigger
     */
    protected final boolean replaceWorker(Thread hung) {
        RunningQueue current = running;
        return current != null && current.replaceWorker(hung);
    }

    /** Closes the destination. */
    @Override
    public void destroy() {
        stop();
        synchronized (lifecycle) {
            if (destination != null) {
                destination.close();
                destination = null;
            }
        }
    }

    private QueueDelivery delivery() {
        return new QueueDelivery(settings(), destination(), context().interceptors());
    }

    private TaskDestination destination() {
        synchronized (lifecycle) {
            if (destination == null) {
                destination = createDestination();
            }
            return destination;
        }
    }

    private TriggerContext context() {
        if (context == null) {
            throw new DelayQueueException("The trigger for queue '" + queue + "' is not a bean. Declare it as one");
        }
        return context;
    }
}
