// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.annotation;

import io.delayqueue.DelayQueueException;
import io.delayqueue.handler.Concurrency;
import io.delayqueue.handler.DelayedTasks;
import io.delayqueue.handler.HandlerOptions;
import io.delayqueue.handler.TaskHandlerRegistry;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.EmbeddedValueResolverAware;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.util.Assert;
import org.springframework.util.StringValueResolver;
import org.springframework.validation.Validator;

/** Finds methods annotated {@link DelayQueueListener} and registers them as handlers when all singletons are there. */
public final class DelayQueueListenerBeanPostProcessor
        implements BeanPostProcessor, SmartInitializingSingleton, BeanFactoryAware, EmbeddedValueResolverAware {

    private final ObjectProvider<TaskHandlerRegistry> registry;
    private final ObjectProvider<DelayedTasks> tasks;
    private final ObjectProvider<Validator> validator;
    private final Queue<Found> found = new ConcurrentLinkedQueue<>();
    private volatile boolean singletonsAreThere;
    private @Nullable BeanFactory beanFactory;
    private @Nullable StringValueResolver values;

    /** Takes providers, so that it can be made before ordinary beans. */
    public DelayQueueListenerBeanPostProcessor(
            ObjectProvider<TaskHandlerRegistry> registry,
            ObjectProvider<DelayedTasks> tasks,
            ObjectProvider<Validator> validator) {
        this.registry = registry;
        this.tasks = tasks;
        this.validator = validator;
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    @Override
    public void setEmbeddedValueResolver(StringValueResolver resolver) {
        this.values = resolver;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Class<?> type = AopUtils.getTargetClass(bean);
        if (AnnotationUtils.isCandidateClass(type, DelayQueueListener.class)) {
            Map<Method, DelayQueueListener> methods =
                    MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<DelayQueueListener>)
                            method -> AnnotatedElementUtils.findMergedAnnotation(method, DelayQueueListener.class));
            methods.forEach((method, listener) -> found.add(new Found(bean, type, method, listener)));
            if (singletonsAreThere) {
                registerFound();
            }
        }
        return bean;
    }

    /** Registers what was found so far; a bean that comes later, as a lazy one, is registered when it comes. */
    @Override
    public void afterSingletonsInstantiated() {
        singletonsAreThere = true;
        registerFound();
    }

    private void registerFound() {
        if (found.isEmpty()) {
            return;
        }
        DefaultMessageHandlerMethodFactory methods = methodFactory();
        for (Found listener = found.poll(); listener != null; listener = found.poll()) {
            register(listener, methods);
        }
    }

    private DefaultMessageHandlerMethodFactory methodFactory() {
        DelayedTasks delayedTasks = tasks.getObject();
        DefaultMessageHandlerMethodFactory factory = new DefaultMessageHandlerMethodFactory();
        if (beanFactory != null) {
            factory.setBeanFactory(beanFactory);
        }
        factory.setMessageConverter(new PayloadMessageConverter(delayedTasks));
        factory.setCustomArgumentResolvers(List.of(new TaskArgumentResolver(delayedTasks)));
        // of several, as an application's own for its forms, none is the one for payloads unless it is primary
        validator.ifUnique(factory::setValidator);
        factory.afterPropertiesSet();
        return factory;
    }

    private void register(Found listener, DefaultMessageHandlerMethodFactory methods) {
        Method method = AopUtils.selectInvocableMethod(
                listener.method(), listener.bean().getClass());
        DelayQueueListener annotation = listener.annotation();
        HandlerOptions options;
        try {
            options = new HandlerOptions(
                    value(annotation.concurrency(), Concurrency::parse),
                    value(annotation.batchSize(), Integer::valueOf),
                    value(annotation.lease(), DelayQueueListenerBeanPostProcessor::duration),
                    Optional.empty(),
                    value(annotation.closeTimeout(), DelayQueueListenerBeanPostProcessor::duration),
                    value(annotation.autoStartup(), Boolean::valueOf));
        } catch (IllegalArgumentException ex) {
            throw new DelayQueueException(
                    "@DelayQueueListener on " + listener.method() + " has a wrong attribute: " + ex.getMessage(), ex);
        }
        String queue = resolve(annotation.queue());
        try {
            registry.getObject()
                    .register(
                            queue,
                            new ListenerMethod(methods.createInvocableHandlerMethod(listener.bean(), method)),
                            options);
        } catch (DelayQueueException ex) {
            throw new DelayQueueException(
                    "@DelayQueueListener on " + listener.method() + " cannot be registered: " + ex.getMessage(), ex);
        }
    }

    private <T> Optional<T> value(String attribute, Function<String, T> reader) {
        String text = resolve(attribute);
        return text.isBlank() ? Optional.empty() : Optional.of(reader.apply(text.trim()));
    }

    private static Duration duration(String text) {
        return DurationFormatterUtils.detectAndParse(text, DurationFormat.Unit.MILLIS);
    }

    private String resolve(String attribute) {
        if (values == null) {
            return attribute;
        }
        String resolved = values.resolveStringValue(attribute);
        Assert.notNull(resolved, () -> "'" + attribute + "' resolved to nothing");
        return resolved;
    }

    private record Found(Object bean, Class<?> type, Method method, DelayQueueListener annotation) {}
}
