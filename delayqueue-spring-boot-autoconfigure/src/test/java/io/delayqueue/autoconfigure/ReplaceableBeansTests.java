// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/** The replaceable beans of the starter are those in the docs, and none is internal. */
class ReplaceableBeansTests {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|");

    private final List<Class<?>> replaceable = replaceable();

    @Test
    void theDocsNameThemAll() throws IOException {
        String page = Files.readString(Path.of("../docs/configuration.md"));
        String table = page.substring(page.indexOf("## Beans to replace"), page.indexOf("## For tests"));
        List<String> named =
                ROW.matcher(table).results().map(row -> row.group(1)).toList();
        assertThat(replaceable).extracting(Class::getSimpleName).containsExactlyInAnyOrderElementsOf(named);
    }

    @Test
    void noneIsInternal() {
        assertThat(replaceable)
                .isNotEmpty()
                .extracting(Class::getPackageName)
                .noneMatch(name -> name.startsWith("io.delayqueue.internal"));
    }

    private static List<Class<?>> replaceable() {
        List<Class<?>> types = new ArrayList<>();
        for (Class<?> configuration : configurations()) {
            for (Method method : configuration.getDeclaredMethods()) {
                ConditionalOnMissingBean condition = method.getAnnotation(ConditionalOnMissingBean.class);
                if (condition != null && condition.name().length == 0) {
                    types.add(
                            condition.value().length == 0
                                    ? method.getReturnType()
                                    : condition.value()[0]);
                }
            }
        }
        return types;
    }

    /** Returns the configurations of the starter, without those of its tests. */
    private static List<Class<?>> configurations() {
        ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false);
        scanner.addIncludeFilter(new AnnotationTypeFilter(Configuration.class));
        List<Class<?>> found = new ArrayList<>();
        scanner.findCandidateComponents("io.delayqueue").forEach(candidate -> {
            Class<?> type = ClassUtils.resolveClassName(requireNonNull(candidate.getBeanClassName()), null);
            if (home(type).equals(home(DelayQueueAutoConfiguration.class))) {
                found.add(type);
            }
        });
        return found;
    }

    private static URL home(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }
}
