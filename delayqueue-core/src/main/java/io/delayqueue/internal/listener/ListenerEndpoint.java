// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.DelayQueueException;
import io.delayqueue.annotation.DelayQueueHandler;
import io.delayqueue.annotation.DelayQueueListener;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The handler that one {@link DelayQueueListener} declares: a method, or a class with one method per payload type.
 *
 * @param source the annotated method or class
 * @param listener the annotation, merged from composed annotations
 * @param methods the annotated method, or the listener methods of the class
 */
record ListenerEndpoint(AnnotatedElement source, DelayQueueListener listener, List<Method> methods) {

    /** Returns whether each method handles one payload type. */
    boolean isByType() {
        return source instanceof Class;
    }

    static List<ListenerEndpoint> of(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, DelayQueueListener.class)) {
            return List.of();
        }
        DelayQueueListener ofClass = AnnotatedElementUtils.findMergedAnnotation(type, DelayQueueListener.class);
        List<ListenerEndpoint> endpoints = new ArrayList<>();
        List<Method> byType = new ArrayList<>();
        for (Method method :
                MethodIntrospector.selectMethods(type, (ReflectionUtils.MethodFilter) ListenerEndpoint::isMarked)) {
            DelayQueueListener listener = AnnotatedElementUtils.findMergedAnnotation(method, DelayQueueListener.class);
            if (listener != null) {
                endpoints.add(new ListenerEndpoint(method, listener, List.of(method)));
            }
            if (AnnotatedElementUtils.hasAnnotation(method, DelayQueueHandler.class)) {
                byType.add(method);
            }
        }
        if (ofClass != null) {
            endpoints.add(new ListenerEndpoint(type, ofClass, List.copyOf(byType)));
        } else if (!byType.isEmpty()) {
            throw new DelayQueueException("@DelayQueueHandler on " + byType.get(0)
                    + " has no effect, because its class has no @DelayQueueListener. Annotate the class, "
                    + "or make the method a @DelayQueueListener");
        }
        return endpoints;
    }

    private static boolean isMarked(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, DelayQueueListener.class)
                || AnnotatedElementUtils.hasAnnotation(method, DelayQueueHandler.class);
    }
}
