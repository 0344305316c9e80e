// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Makes a method of a bean the handler of a queue's due tasks, or of those of several queues. On a class it makes those
 * methods handlers that have {@link DelayQueueHandler}, each for one type of payload. On an annotation it makes that one
 * an annotation of the same kind, whose attributes may be aliases ({@code @AliasFor}) of these.
 *
 * <p>Parameters may be the payload as the method's type (validated when annotated {@code @Valid}), {@code @Header} and
 * {@code @Headers}, the whole {@link io.delayqueue.handler.DelayedTask}, or the {@link
 * io.delayqueue.handler.TaskLease}. A method whose one parameter is a {@code List<DelayedTask<...>>} takes tasks in batches, as
 * {@link io.delayqueue.handler.BatchTaskHandler} says. The headers are the task's own and those named in {@link TaskHeaders}.
 *
 * <p>When the method returns, the task is acknowledged, whatever the value. What stands for work that goes on settles
 * the task when that work ends: a {@link java.util.concurrent.CompletionStage}, a {@code Mono}, a {@code Flux} or
 * another publisher when it completes, what Spring adapts of RxJava, Mutiny and Kotlin's coroutines, and a suspending
 * function of Kotlin. Until then the task counts towards the concurrency and its lease is renewed; a subscription is
 * cancelled when a stop breaks the delivery off. A plain {@code Future} and its like are refused at the start. When it
 * throws or its work fails, the task is tried again as the queue's retry policy says, unless the exception is a {@link
 * io.delayqueue.handler.RetryHint} or the payload cannot be read or is not valid, which makes the task dead at once.
 *
 * <p>The bean is a singleton, or has a scoped proxy. It listens until it is destroyed.
 *
 * <p>All attributes but the names of queues override the queue's settings and may be left empty. Every one may hold
 * {@code ${...}} placeholders, but for the classes of {@link ListenerRetry#excludes()}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface DelayQueueListener {

    /** The same as {@link #queue()}. */
    @AliasFor("queue")
    String value() default "";

    /** Name of a configured queue. If it is left empty, {@link #queues()} has to name some. */
    @AliasFor("value")
    String queue() default "";

    /**
     * Name for {@link io.delayqueue.handler.TaskHandlerRegistry#getRegistration}, to stop and start this listener alone.
     * Without one, the name of the queue does. Only for a listener of one queue.
     */
    String id() default "";

    /**
     * Names of more queues. A placeholder may stand for several, separated by commas. Each queue has the other attributes
     * for itself: with {@code concurrency = "4"} each has four threads.
     */
    String[] queues() default {};

    /**
     * Number of threads in this process, such as {@code 4}. With {@code 1} tasks are handled one after
     * the other in the order of their due times; that holds within one process and one shard, and a task that is
     * retried takes its new place.
     */
    String concurrency() default "";

    /** Tasks that a thread takes at a time, and that a method of batches gets at most, 1 to 500. */
    String batchSize() default "";

    /**
     * How long a due task waits until a method of batches gets fewer than {@link #batchSize}, such as {@code 5s}; at most an
     * hour. Without it, the method gets what is due.
     */
    String maxWait() default "";

    /** How long a lease lasts unless it is renewed, such as {@code 30s}; 1 ms to 365 days. */
    String lease() default "";

    /** How long a stop waits for running handlers, such as {@code 10s}; 1 ms to 365 days. */
    String shutdownTimeout() default "";

    /** Whether the handler starts with the application. Not if the queue's {@code trigger.auto-startup} is false. */
    String autoStartup() default "";

    /** How long one attempt may take, such as {@code 2m}; 1 ms to 365 days. */
    String timeout() default "";

    /** When failed tasks are tried again. */
    ListenerRetry retry() default @ListenerRetry;

    /**
     * Name of the bean of type {@link io.delayqueue.handler.DeliveryErrorHandler} that is called with each failure, instead
     * of the one for all handlers.
     */
    String errorHandler() default "";
}
