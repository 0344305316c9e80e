// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.DelayQueueException;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.annotation.ListenerRetry;
import io.delayqueue.handler.DeliveryErrorHandler;
import io.delayqueue.handler.HandlerOptions;
import io.delayqueue.handler.RetrySettings;
import io.delayqueue.internal.input.DurationText;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/** Reads the attributes of {@link DelayQueueListener} and resolves their placeholders. */
record ListenerAttributes(EmbeddedValueResolver placeholders, ConfigurableListableBeanFactory beans) {

    /** @throws IllegalArgumentException if the listener names no queue */
    Set<String> queues(DelayQueueListener listener) {
        Set<String> queues = new LinkedHashSet<>();
        value(listener.queue(), text -> text).ifPresent(queues::add);
        texts(listener.queues()).forEach(queues::add);
        if (queues.isEmpty()) {
            throw new IllegalArgumentException("queue and queues are both empty. Name at least one queue");
        }
        if (queues.size() > 1 && value(listener.id(), text -> text).isPresent()) {
            throw new IllegalArgumentException("id is only for a listener of one queue, but this listener has " + queues
                    + ". Remove id: each queue's name is the id of its handler");
        }
        return queues;
    }

    /**
     * Returns the options from an annotation.
     *
     * @param retry retry settings of its queue
     * @throws IllegalArgumentException if an attribute cannot be read or is out of bounds
     * @throws DelayQueueException if its error handler is not a bean
     */
    HandlerOptions options(DelayQueueListener listener, RetrySettings retry) {
        HandlerOptions.Builder options = HandlerOptions.builder();
        set(listener.id(), text -> text, options::id);
        set(listener.concurrency(), text -> number("concurrency", text), options::concurrency);
        set(listener.batchSize(), text -> number("batchSize", text), options::batchSize);
        set(listener.maxWait(), text -> duration("maxWait", text), options::maxWait);
        set(listener.lease(), text -> duration("lease", text), options::lease);
        retry(listener.retry(), retry).ifPresent(options::retry);
        set(listener.shutdownTimeout(), text -> duration("shutdownTimeout", text), options::shutdownTimeout);
        set(listener.autoStartup(), ListenerAttributes::truth, options::autoStartup);
        set(listener.errorHandler(), this::errorHandler, options::errorHandler);
        set(listener.timeout(), text -> duration("timeout", text), options::timeout);
        return options.build();
    }

    private <T> void set(String attribute, Function<String, T> reader, Consumer<T> option) {
        value(attribute, reader).ifPresent(option);
    }

    private static Integer number(String attribute, String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException ex) {
            throw new IllegalArgumentException(attribute + " is '" + text + "', but must be a number", ex);
        }
    }

    private static boolean truth(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "on", "yes", "1" -> true;
            case "false", "off", "no", "0" -> false;
            default -> throw new IllegalArgumentException("autoStartup is '" + text + "', but must be true or false");
        };
    }

    private Optional<RetrySettings> retry(ListenerRetry attributes, RetrySettings queue) {
        Set<Class<? extends Throwable>> excludes = new LinkedHashSet<>(queue.excludes());
        excludes.addAll(List.of(attributes.excludes()));
        RetrySettings policy = new RetrySettings(
                value(attributes.maxRetries(), Integer::valueOf).orElse(queue.maxRetries()),
                value(attributes.delay(), text -> duration("delay", text)).orElse(queue.delay()),
                value(attributes.multiplier(), Double::valueOf).orElse(queue.multiplier()),
                value(attributes.maxDelay(), text -> duration("maxDelay", text)).orElse(queue.maxDelay()),
                value(attributes.jitter(), Double::valueOf).orElse(queue.jitter()),
                excludes);
        return policy.equals(queue) ? Optional.empty() : Optional.of(policy);
    }

    private DeliveryErrorHandler errorHandler(String name) {
        try {
            return beans.getBean(name, DeliveryErrorHandler.class);
        } catch (BeansException ex) {
            throw new DelayQueueException(
                    "its errorHandler '" + name + "' is not a bean of type DeliveryErrorHandler: " + ex.getMessage(),
                    ex);
        }
    }

    private <T> Optional<T> value(String attribute, Function<String, T> reader) {
        String text = resolved(attribute);
        return text.isBlank() ? Optional.empty() : Optional.of(reader.apply(text.trim()));
    }

    private String resolved(String attribute) {
        String resolved = placeholders.resolveStringValue(attribute);
        Assert.notNull(resolved, () -> "'" + attribute + "' resolved to nothing");
        return resolved;
    }

    /** Resolves an attribute. A placeholder may stand for several values. */
    private Stream<String> texts(String[] attribute) {
        return Stream.of(attribute)
                .map(this::resolved)
                .flatMap(text -> Stream.of(StringUtils.commaDelimitedListToStringArray(text)))
                .map(String::trim)
                .filter(text -> !text.isEmpty());
    }

    private static Duration duration(String attribute, String text) {
        if (DurationText.lacksUnit(text)) {
            throw new IllegalArgumentException(
                    attribute + " is '" + text + "', a duration without a unit. Write " + DurationText.withUnits(text));
        }
        return DurationFormatterUtils.detectAndParse(text, DurationFormat.Unit.MILLIS);
    }
}
