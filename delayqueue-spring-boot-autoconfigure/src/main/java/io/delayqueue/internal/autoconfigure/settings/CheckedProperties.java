// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import static io.delayqueue.internal.autoconfigure.settings.InheritingSource.QUEUES;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.input.DurationText;
import io.delayqueue.internal.input.PrintableText;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PlaceholdersResolver;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.convert.ConverterNotFoundException;
import org.springframework.util.ClassUtils;

/**
 * Validates the properties under {@code delayqueue} while Spring Boot binds them. The application does not start with
 * invalid values or unknown names. A queue inherits unset properties.
 */
public record CheckedProperties(PlaceholdersResolver placeholders)
        implements ConfigurationPropertiesBindHandlerAdvisor {

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("delayqueue");

    /** Properties that the test kit reads from the environment. */
    private static final ConfigurationPropertyName TEST = ROOT.append("test");

    /** Properties that other modules bind themselves if they are present. */
    private static final List<ConfigurationPropertyName> MODULES = Stream.of(
                    "jdbc.autoconfigure.DelayQueueJdbc", "console.autoconfigure.DelayQueueConsole")
            .filter(type -> ClassUtils.isPresent(
                    "io.delayqueue." + type + "Properties", CheckedProperties.class.getClassLoader()))
            .map(type -> ROOT.append(type.substring(0, type.indexOf('.'))))
            .toList();

    private static final int MOST_SHOWN = 10;

    @Override
    public BindHandler apply(BindHandler parent) {
        return new Handler(parent);
    }

    private final class Handler extends NoUnboundElementsBindHandler {

        private final BindHandler parent;

        /**
         * Creates the handler. It ignores unknown environment variables and system properties, because they may belong
         * to other programs.
         */
        Handler(BindHandler parent) {
            super(parent, new UnboundElementsSourceFilter());
            this.parent = parent;
        }

        @Override
        public @Nullable Object onSuccess(
                ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
            Object value = super.onSuccess(name, target, context, result);
            if (QUEUES.isParentOf(name)) {
                return queue(name, context);
            }
            if (ROOT.isAncestorOf(name)) {
                check(name, context.getConfigurationProperty(), value);
            }
            return value;
        }

        /** Accepts {@code orders: {}} and {@code orders:} as queues. YAML converts both to an empty string. */
        @Override
        public @Nullable Object onFailure(
                ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
                throws Exception {
            if (error instanceof ConverterNotFoundException && QUEUES.isParentOf(name) && isEmpty(name, context)) {
                return queue(name, context);
            }
            return super.onFailure(name, target, context, error);
        }

        @Override
        public void onFinish(
                ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result)
                throws Exception {
            parent.onFinish(name, target, context, result);
            if (name.equals(ROOT) || MODULES.contains(name)) {
                try {
                    super.onFinish(name, target, context, result);
                } catch (UnboundConfigurationPropertiesException ex) {
                    refuse(name, ex);
                }
            }
        }
    }

    private QueueProperties queue(ConfigurationPropertyName name, BindContext context) {
        return new Binder(InheritingSource.of(context.getSources()), placeholders)
                .bindOrCreate(name, Bindable.of(QueueProperties.class), BindHandler.DEFAULT);
    }

    /**
     * Returns whether the property is an empty string. Spring Boot does not report which property could not be
     * converted.
     */
    private static boolean isEmpty(ConfigurationPropertyName name, BindContext context) {
        for (ConfigurationPropertySource source : context.getSources()) {
            ConfigurationProperty property = source.getConfigurationProperty(name);
            if (property != null) {
                return property.getValue().toString().isBlank();
            }
        }
        return false;
    }

    @SuppressWarnings("unchecked")
    private void check(
            ConfigurationPropertyName name, @Nullable ConfigurationProperty property, @Nullable Object value) {
        if (property == null || value == null) {
            return;
        }
        String text = String.valueOf(placeholders.resolvePlaceholders(property.getValue()));
        if (value instanceof Duration && DurationText.lacksUnit(text)) {
            throw new InvalidDelayQueueSetupException(
                    name.toString(),
                    "The property " + name + " is '" + PrintableText.of(text, 80) + "', a duration without a unit.",
                    "Write " + DurationText.withUnits(text) + ".");
        }
        PropertyRule<Object> rule = (PropertyRule<Object>) PropertyRules.of(name);
        if (rule != null) {
            rule.check(name.toString(), value, text);
        }
    }

    private static void refuse(ConfigurationPropertyName bound, UnboundConfigurationPropertiesException unbound) {
        List<String> names = unbound.getUnboundProperties().stream()
                .map(ConfigurationProperty::getName)
                .filter(name -> !TEST.equals(name) && !TEST.isAncestorOf(name))
                .filter(name ->
                        MODULES.stream().noneMatch(module -> bound.isAncestorOf(module) && module.isAncestorOf(name)))
                .map(ConfigurationPropertyName::toString)
                .toList();
        if (!names.isEmpty()) {
            String shown = names.stream().limit(MOST_SHOWN).collect(Collectors.joining(", "));
            int more = names.size() - MOST_SHOWN;
            throw new InvalidDelayQueueSetupException(
                    names.get(0),
                    "The library does not know the " + (names.size() == 1 ? "property " : "properties ")
                            + PrintableText.of(shown, 1000) + (more > 0 ? " and " + more + " more" : "") + ".",
                    "Correct the name or remove the property. If it belongs to a queue whose name "
                            + "contains a '.', write that name in brackets and quotes: \"[shop.orders]\".");
        }
    }
}
