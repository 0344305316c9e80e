// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Marks a bean method as the handler for the due tasks of one or more queues. On a class, it makes the methods
 * annotated with {@link DelayQueueHandler} handlers, each for one payload type. On an annotation, it creates a composed
 * annotation, whose attributes may alias ({@code @AliasFor}) these.
 *
 * <p>A parameter can be the payload (validated if annotated with {@code @Valid}), a {@code @Header}, all {@code
 * @Headers}, the {@link io.delayqueue.handler.DelayedTask}, or the {@link io.delayqueue.handler.TaskLease}. The headers
 * are those of the task and of {@link TaskHeaders}. A method with a single {@code List<DelayedTask<...>>} parameter
 * handles batches, like a {@link io.delayqueue.handler.BatchTaskHandler}.
 *
 * <p>When the method returns, the task is acknowledged, regardless of the value. If the method returns asynchronous
 * work, the task is settled when that work completes. Supported are {@link java.util.concurrent.CompletionStage},
 * {@code Mono}, {@code Flux} and other publishers, types of RxJava, Mutiny and Kotlin coroutines that Spring adapts,
 * and suspending Kotlin functions. Until then, the task counts towards the concurrency and its lease is renewed. If a
 * stop ends the delivery, the subscription is cancelled. Methods that return a plain {@code Future} are rejected at
 * startup. If the method throws or its work fails, the task is retried according to the queue's retry policy, or as
 * decided by an exception that implements {@link io.delayqueue.handler.RetryHint}. If the payload cannot be read or is
 * invalid, the task becomes dead at once. An interrupted method must end with an exception (see {@link
 * io.delayqueue.handler.TaskHandler}); if it returns normally during a stop, the task is acknowledged.
 *
 * <p>The bean must be a singleton or have a scoped proxy. It listens until it is destroyed.
 *
 * <p>All attributes except the queue names override the queue's settings and may be empty. All except
 * {@link ListenerRetry#excludes()} may contain {@code ${...}} placeholders.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface DelayQueueListener {

    /** Alias for {@link #queue()}. */
    @AliasFor("queue")
    String value() default "";

    /** Name of a configured queue. If empty, {@link #queues()} must not be. */
    @AliasFor("value")
    String queue() default "";

    /**
     * Id for {@link io.delayqueue.handler.TaskHandlerRegistry#getRegistration}, to stop and start this listener
     * individually. Only for a listener of a single queue. Default: the name of the queue.
     */
    String id() default "";

    /**
     * Names of additional queues. A placeholder may contain several names, separated by commas. The other attributes
     * apply to each queue separately: with {@code concurrency = "4"} each has four threads.
     */
    String[] queues() default {};

    /**
     * Number of threads in this process, such as {@code 4}. With {@code 1}, tasks are handled one after another in the
     * order of their due times, within one process and one shard. A retried task moves to its new due time.
     */
    String concurrency() default "";

    /** Number of tasks that a thread acquires at a time, and maximum size of a batch, 1 to 500. */
    String batchSize() default "";

    /**
     * Maximum time that a due task waits until a batch of {@link #batchSize} is full, such as {@code 5s}; at most an
     * hour. Default: no wait.
     */
    String maxWait() default "";

    /**
     * Duration of the lease, such as {@code 30s}; 1 ms to 365 days. The process renews the lease while the handler
     * runs.
     */
    String lease() default "";

    /** How long a stop waits for running handlers, such as {@code 10s}; 1 ms to 365 days. */
    String shutdownTimeout() default "";

    /**
     * Set to {@code false} if the handler must not start with the application. If the queue's {@code
     * trigger.auto-startup} is false, the handler never starts with the application.
     */
    String autoStartup() default "";

    /**
     * Maximum duration of one attempt, such as {@code 2m}; 1 ms to 365 days. After that, the thread is interrupted and
     * the attempt fails, whatever the method returns or throws. If the method still runs after the same time again (at
     * most 5 s), a new thread replaces the thread, and the task is retried while the old call may still be running.
     */
    String timeout() default "";

    /** Retries of failed tasks. */
    ListenerRetry retry() default @ListenerRetry;

    /**
     * Name of the {@link io.delayqueue.handler.DeliveryErrorHandler} bean to call for each failure, instead of the bean
     * for all listeners.
     */
    String errorHandler() default "";
}
