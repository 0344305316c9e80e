// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.MethodMetadata;
import org.springframework.core.type.classreading.CachingMetadataReaderFactory;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.util.ClassUtils;

/** The beans of the auto-configurations of all modules: which an application may replace, and how they are named. */
class AutoConfiguredBeansTests {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| ((?:`\\w+`(?:, )?)+) \\|");
    private static final String INTERNAL = "io.delayqueue.internal.";
    private static final String CLASSES = "classpath*:io/delayqueue/**/*.class";

    /** Types of Spring and Micrometer. A context may have several beans of each, so the application's are added. */
    private static final Set<String> MANY = Set.of(
            "BeanFactoryPostProcessor", "LazyInitializationExcludeFilter", "MeterBinder", "ObservationPredicate");

    /** Public beans that an application cannot replace, and why. */
    private static final Map<String, String> NOT_REPLACED = Map.of(
            "delayQueueConsoleClosing", "it closes the console with its context",
            "delayQueueConsoleRoutes", "delayqueue.console.path moves them",
            "delayQueueTestKit", "tests ask for it by annotation",
            "delayQueueTestClock", "it takes the place of the application's clock");

    /** Names that do not begin with {@code delayQueue}, and why. */
    private static final Map<String, String> NAMES = Map.of(
            "delayqueueHealthContributor", "health components are named after their beans: delayqueue",
            "delayqueueOutboxHealthContributor", "health components are named after their beans: delayqueueOutbox");

    /** @param replaceable the type that an application declares to replace the bean, "" if it names one, or null */
    private record Offered(
            String name, String type, @Nullable String replaceable) {

        String simpleType() {
            return ClassUtils.getShortName(type);
        }

        boolean isPublic() {
            return !type.startsWith(INTERNAL)
                    && Modifier.isPublic(ClassUtils.resolveClassName(type, null).getModifiers());
        }
    }

    private final List<Offered> beans;

    AutoConfiguredBeansTests() throws IOException {
        beans = beans();
    }

    @Test
    void publicBeansAreReplaceableOrHaveAReason() {
        assertThat(beans).hasSizeGreaterThan(50);
        assertThat(beans)
                .filteredOn(bean -> bean.replaceable() == null && bean.isPublic() && !MANY.contains(bean.simpleType()))
                .extracting(Offered::name)
                .containsExactlyInAnyOrderElementsOf(NOT_REPLACED.keySet());
    }

    @Test
    void replaceableBeansAreThoseThatTheDocsName() throws IOException {
        String page = Files.readString(Path.of("../../docs/configuration.md"));
        String table = page.substring(page.indexOf("## Beans to replace"), page.indexOf("## For tests"));
        List<String> named = ROW.matcher(table)
                .results()
                .flatMap(row -> List.of(row.group(1).replace("`", "").split(", ")).stream())
                .toList();
        assertThat(beans)
                .extracting(Offered::replaceable)
                .filteredOn(type -> type != null && !type.isEmpty() && !type.startsWith(INTERNAL))
                .extracting(ClassUtils::getShortName)
                .containsExactlyInAnyOrderElementsOf(named);
    }

    @Test
    void namesFollowOneScheme() {
        assertThat(beans)
                .extracting(Offered::name)
                .filteredOn(name -> !name.startsWith("delayQueue"))
                .containsExactlyInAnyOrderElementsOf(NAMES.keySet());
    }

    /** Reads the class files, because a component scan would leave out what the conditions of this process exclude. */
    private static List<Offered> beans() throws IOException {
        List<Offered> found = new ArrayList<>();
        MetadataReaderFactory readers = new CachingMetadataReaderFactory();
        for (Resource file : new PathMatchingResourcePatternResolver().getResources(CLASSES)) {
            if (isPublished(file.getURL().toString())) {
                AnnotationMetadata type = readers.getMetadataReader(file).getAnnotationMetadata();
                if (type.isAnnotated(Configuration.class.getName())) {
                    type.getAnnotatedMethods(Bean.class.getName()).forEach(method -> found.add(offered(type, method)));
                }
            }
        }
        return found;
    }

    private static Offered offered(AnnotationMetadata type, MethodMetadata method) {
        MergedAnnotation<ConditionalOnMissingBean> condition =
                method.getAnnotations().get(ConditionalOnMissingBean.class);
        String replaceable = null;
        if (condition.isPresent()) {
            String[] types = condition.getStringArray("value");
            boolean isNamed = condition.getStringArray("name").length > 0;
            replaceable = types.length > 0 ? types[0] : isNamed ? "" : method.getReturnTypeName();
        } else if (isLeftOutBesideAnother(type)) {
            replaceable = "";
        }
        return new Offered(method.getMethodName(), method.getReturnTypeName(), replaceable);
    }

    /** Returns whether all beans of the configuration are left out if the application has one of another kind. */
    private static boolean isLeftOutBesideAnother(AnnotationMetadata type) {
        if (type.isAnnotated(ConditionalOnMissingBean.class.getName())) {
            return true;
        }
        String enclosing = type.getEnclosingClassName();
        return enclosing != null
                && isLeftOutBesideAnother(AnnotationMetadata.introspect(ClassUtils.resolveClassName(enclosing, null)));
    }

    private static boolean isPublished(String resource) {
        return !resource.contains("test-classes")
                && !resource.contains("-tests.jar")
                && !resource.contains("/evidence/")
                && !resource.contains("delayqueue-test-servers");
    }
}
