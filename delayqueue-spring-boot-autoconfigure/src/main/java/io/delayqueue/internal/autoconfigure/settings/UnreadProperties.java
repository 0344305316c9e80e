// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.input.PrintableText;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.util.ClassUtils;

/**
 * Refuses properties under {@code delayqueue} that nothing reads, such as misspelt ones: a queue would silently be
 * another than was meant, or deliver nothing. The environment and the system properties are not looked at, for they may
 * hold what is meant for others.
 */
public final class UnreadProperties implements ConfigurationPropertiesBindHandlerAdvisor {

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("delayqueue");
    private static final ConfigurationPropertyName QUEUES = ROOT.append("queues");

    /** Read by the test kit. */
    private static final ConfigurationPropertyName TEST = ROOT.append("test");

    /** What another module binds by itself, where it is there. */
    private static final List<ConfigurationPropertyName> OTHERS = Stream.concat(
                    ofModule("io.delayqueue.jdbc.TransactionalDelayQueueOperations", "jdbc"),
                    ofModule("io.delayqueue.console.autoconfigure.DelayQueueConsoleProperties", "console"))
            .toList();

    private static final int MOST_SHOWN = 10;

    private final UnboundElementsSourceFilter looksAt = new UnboundElementsSourceFilter();

    private static Stream<ConfigurationPropertyName> ofModule(String type, String... names) {
        return ClassUtils.isPresent(type, UnreadProperties.class.getClassLoader())
                ? Arrays.stream(names).map(ROOT::append)
                : Stream.empty();
    }

    @Override
    public BindHandler apply(BindHandler parent) {
        return new AbstractBindHandler(parent) {

            private final Set<ConfigurationPropertyName> read = new HashSet<>();

            @Override
            public @Nullable Object onSuccess(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
                read.add(name);
                return super.onSuccess(name, target, context, result);
            }

            @Override
            public void onFinish(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result)
                    throws Exception {
                super.onFinish(name, target, context, result);
                if (name.equals(ROOT) || OTHERS.contains(name)) {
                    refuseUnread(name, context, read);
                }
            }
        };
    }

    private void refuseUnread(
            ConfigurationPropertyName root, BindContext context, Set<ConfigurationPropertyName> read) {
        Set<String> unread = new TreeSet<>();
        for (ConfigurationPropertySource source : context.getSources()) {
            if (source instanceof IterableConfigurationPropertySource properties && looksAt.apply(source)) {
                properties.stream()
                        .filter(name -> root.isAncestorOf(name) && !TEST.equals(name) && !TEST.isAncestorOf(name))
                        .filter(name -> OTHERS.stream()
                                .noneMatch(other -> root.isAncestorOf(other) && other.isAncestorOf(name)))
                        .filter(name -> !isRead(name, read) && !isEmptyQueue(name, properties))
                        .forEach(name -> unread.add(name.toString()));
            }
        }
        if (!unread.isEmpty()) {
            String first = unread.iterator().next();
            throw new InvalidDelayQueueSetupException(
                    first,
                    "Nothing reads the " + (unread.size() == 1 ? "property " : "properties ") + shown(unread) + ".",
                    "Correct the name or remove the property. If it is of a queue whose name has a '.', write that name in brackets"
                            + " and quotes: \"[shop.orders]\".");
        }
    }

    private static String shown(Set<String> names) {
        String first = names.stream().limit(MOST_SHOWN).collect(Collectors.joining(", "));
        int more = names.size() - MOST_SHOWN;
        return PrintableText.of(first, 1000) + (more > 0 ? " and " + more + " more" : "");
    }

    /** Elements of a list or a map may be hidden by a source that says all of it in another way. */
    private static boolean isRead(ConfigurationPropertyName name, Set<ConfigurationPropertyName> read) {
        return read.contains(name) || (name.isLastElementIndexed() && read.contains(name.getParent()));
    }

    /** YAML has an empty text for {@code orders: {}}, which {@link EmptyQueues} makes a queue. */
    private static boolean isEmptyQueue(
            ConfigurationPropertyName name, IterableConfigurationPropertySource properties) {
        ConfigurationProperty property = properties.getConfigurationProperty(name);
        return QUEUES.isParentOf(name)
                && (property == null || property.getValue().toString().isBlank());
    }
}
