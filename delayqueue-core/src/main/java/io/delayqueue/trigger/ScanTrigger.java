// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import io.delayqueue.DelayQueueException;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.engine.QueueDelivery;
import io.delayqueue.internal.engine.RunningQueue;
import io.delayqueue.queue.QueueNames;
import io.delayqueue.queue.QueueSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;

/**
 * A bean that scans one queue and hands its due tasks to a destination. Subclass it, name the queue, and make the
 * destination; everything else comes from the queue's settings and may be overridden.
 *
 * <p>Starts with the application context unless the settings say otherwise. While one trigger of an application is started,
 * the JVM does not end by itself. Scanning takes no thread of its own; as many as the settings say deliver. A stop ends
 * acquiring at once, waits up to the close time-out for running deliveries and then interrupts them; what was never begun is
 * released. A delivery that stops its own trigger, or closes its application, is neither waited for nor interrupted; after the
 * application has closed its outcome is too late, and the task is redelivered when its lease has expired. An application has
 * at most one trigger for a queue. Several processes may each have one and share the work; no task is under lease to two of
 * them.
 *
 * <p>The bean may have a proxy of its class, as an aspect makes it: the public methods can be overridden for that
 * alone. A proxy of its interfaces is refused at the start.
 */
public abstract class ScanTrigger implements SmartLifecycle, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(ScanTrigger.class);

    private final String queue;
    private final Object lifecycle = new Object();
    private @Nullable TriggerContext context;
    private @Nullable TaskDestination destination;
    /** Set under {@link #lifecycle}. */
    private volatile @Nullable RunningQueue running;

    /** @param queue name of a configured queue */
    protected ScanTrigger(String queue) {
        this.queue = QueueNames.check(queue);
    }

    /** Called by the container. */
    @Autowired
    public void setTriggerContext(TriggerContext context) {
        this.context = context;
    }

    /** Makes the destination; called once, by the first start or {@link #scanOnce}. It is closed with this bean. */
    protected abstract TaskDestination createDestination();

    /** The name of the queue that this trigger scans. */
    public String queue() {
        return queue;
    }

    /**
     * Returns the settings that this trigger goes by: those of the queue unless overridden. Called at each start and each
     * {@link #scanOnce}.
     */
    protected QueueSettings customize(QueueSettings configured) {
        return configured;
    }

    /** Returns the settings of the queue as customized. */
    protected final QueueSettings settings() {
        QueueSettings configured = context().queues().get(queue);
        try {
            return customize(configured);
        } catch (IllegalArgumentException ex) {
            throw new DelayQueueException(
                    "Queue '" + queue + "': customize() of " + getClass().getName() + ": " + ex.getMessage(), ex);
        }
    }

    /**
     * Takes due tasks until there are none or {@code limit} is reached, delivers them on the calling thread and returns
     * when they are settled. For a {@code @Scheduled} method or another scheduler, with or without the trigger's own
     * threads running:
     *
     * <pre>{@code
     * while (trigger.scanOnce(1000) == 1000) {}
     * }</pre>
     *
     * @param limit 1 to 1,000
     * @return how many tasks were taken, whatever became of them; 0 also when the destination cannot take any now
     * @throws io.delayqueue.TaskStoreException if Redis does not answer an acquire in time
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
                running = shared.engine()
                        .start(delivery, shared.virtualThreads(), shared.wakeSignals(), shared.ownership());
                log.info(
                        "Queue '{}': trigger started with {} thread(s)",
                        queue,
                        delivery.queue().trigger().concurrency());
            }
        }
    }

    /** A delivery that calls this is not waited for; it goes on, and ends as if the trigger still ran. */
    @Override
    public void stop() {
        stop(Thread.currentThread());
    }

    private void stop(Thread stopper) {
        RunningQueue stopped;
        synchronized (lifecycle) {
            stopped = running;
            running = null;
        }
        if (stopped == null) {
            return;
        }
        if (stopped.stop(stopper)) {
            log.info("Queue '{}': trigger stopped", queue);
        } else {
            log.warn(
                    "Queue '{}': trigger stopped after {} with deliveries still running; their tasks were given back"
                            + " and are due again",
                    queue,
                    settings().trigger().shutdownTimeout());
        }
    }

    /** Stops on a thread of its own, or on the calling one where none can be made. */
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
            log.debug("Queue '{}': no thread to stop on", queue, ex);
            stopping.run();
        }
    }

    /**
     * Has another thread deliver in the place of one of this trigger's whose delivery hangs. What the thread has not begun is
     * released. As many as the queue has threads may hang at the same time in threads that were replaced. Does not block.
     *
     * @param hung a thread that is delivering; it must not be able to end its delivery before this returns
     * @return whether it has been replaced; if not, too many hang, or it is no thread of this trigger
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
            throw new DelayQueueException("The trigger for queue '" + queue
                    + "' has no context. Declare it as a bean, or call setTriggerContext");
        }
        return context;
    }
}
