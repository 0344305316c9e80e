// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.DelayQueueException;
import io.delayqueue.handler.NonRetryableTaskException;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;

/**
 * Detects whether the return value of a listener method represents work to wait for: a {@link CompletionStage}, or any
 * type that Spring's {@link ReactiveAdapterRegistry} supports. With any other value, the work has ended, unless the
 * type is known to represent unfinished work.
 */
final class ListenerReturn {

    private static final String ADVICE =
            "Return a CompletableFuture, a Mono or a Flux that completes with the work, or wait for "
                    + "the work in the method and return nothing.";

    /** Maximum depth of type arguments, because a type may contain itself as an argument. */
    private static final int DEEPEST = 6;

    private static final Set<Class<?>> UNENDED = Set.of(Future.class, Callable.class, BaseStream.class);

    /** Types of unfinished work. Their libraries may be missing, or Spring has no adapter for them. */
    private static final Set<String> UNENDED_NAMES = Set.of(
            "io.reactivex.CompletableSource",
            "io.reactivex.MaybeSource",
            "io.reactivex.ObservableSource",
            "io.reactivex.SingleSource",
            "io.vertx.core.Future",
            "kotlin.sequences.Sequence",
            "kotlinx.coroutines.Job",
            "kotlinx.coroutines.flow.Flow",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "scala.concurrent.Future");

    private final ReactiveAdapterRegistry adapters = ReactiveAdapterRegistry.getSharedInstance();

    /**
     * Checks the declared return type.
     *
     * @param type the class of the bean, which may define the method's type variables
     * @throws DelayQueueException if tasks would be acknowledged before their work has ended
     */
    void check(Method method, Class<?> type) {
        ResolvableType declared = ResolvableType.forMethodReturnType(method, type);
        boolean waitedFor;
        if (KotlinDetector.isSuspendingFunction(method)) {
            declared = ResolvableType.forMethodParameter(method, method.getParameterCount() - 1, type)
                    .getGeneric(0);
            waitedFor = isFlattened(declared.toClass());
        } else {
            waitedFor = isAwaitable(declared.toClass());
        }
        if (waitedFor ? holdsWork(declared, 0) : isWork(declared, 0)) {
            throw new DelayQueueException("it returns " + declared
                    + ", so a task would be acknowledged before its work has ended. " + ADVICE);
        }
    }

    /** Returns whether Spring awaits results of this type from suspending functions. */
    private static boolean isFlattened(Class<?> type) {
        return Publisher.class.isAssignableFrom(type) || hasName(type, Set.of("kotlinx.coroutines.flow.Flow"));
    }

    private boolean isAwaitable(Class<?> type) {
        return CompletionStage.class.isAssignableFrom(type) || adapters.getAdapter(type) != null;
    }

    private boolean isWork(ResolvableType type, int depth) {
        return isAwaitable(type.toClass()) || isUnended(type.toClass()) || holdsWork(type, depth);
    }

    /** Returns whether a type contains unfinished work, for example a list of futures or a future of a future. */
    private boolean holdsWork(ResolvableType type, int depth) {
        if (depth == DEEPEST) {
            return false;
        }
        if (type.isArray()) {
            return isWork(type.getComponentType(), depth + 1);
        }
        return Stream.of(type.getGenerics()).anyMatch(parameter -> isWork(parameter, depth + 1));
    }

    private static boolean isUnended(Class<?> type) {
        return UNENDED.stream().anyMatch(unended -> unended.isAssignableFrom(type)) || hasName(type, UNENDED_NAMES);
    }

    private static boolean hasName(Class<?> type, Set<String> names) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (names.contains(each.getName())) {
                return true;
            }
        }
        return ClassUtils.getAllInterfacesForClassAsSet(type).stream().anyMatch(each -> names.contains(each.getName()));
    }

    /**
     * Returns a stage that completes with the work of a listener, from its return value. Subscribes to a publisher,
     * with this thread's context if Micrometer's context propagation is present. Cancelling the stage cancels the
     * subscription, but not a stage that the listener returned.
     *
     * @return the stage; null if the work has ended
     * @throws NonRetryableTaskException if completion cannot be detected
     */
    @Nullable
    CompletionStage<?> completion(@Nullable Object result) {
        if (result == null) {
            return null;
        }
        if (result instanceof CompletionStage<?> stage) {
            return stage.thenApply(value -> value); // A cancel must not reach the stage of the application.
        }
        ReactiveAdapter adapter = adapters.getAdapter(null, result);
        if (adapter != null) {
            return Mono.ignoreElements(adapter.toPublisher(result))
                    .contextCapture()
                    .toFuture();
        }
        if (isUnended(result.getClass())) {
            throw new NonRetryableTaskException("The listener returned a "
                    + result.getClass().getName() + ", whose completion cannot be awaited. " + ADVICE);
        }
        return null;
    }
}
