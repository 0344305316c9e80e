// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactories;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * The application of a test is configured by the first block of YAML of each of these pages, which are paths from the
 * guide's folder, and by nothing else. It is one without Spring Security, as the pages build it, and shares no queue
 * with other applications of this module.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ContextCustomizerFactories(GuidePages.Factory.class)
public @interface GuidePages {

    String[] value();

    /** Finds the annotation. */
    final class Factory implements ContextCustomizerFactory {

        @Override
        public ContextCustomizer createContextCustomizer(
                Class<?> testClass, List<ContextConfigurationAttributes> configAttributes) {
            GuidePages pages = TestContextAnnotationUtils.findMergedAnnotation(testClass, GuidePages.class);
            return pages == null ? null : new Customizer(List.of(pages.value()));
        }
    }

    /** A record, so that tests of the same pages share an application. */
    record Customizer(List<String> pages) implements ContextCustomizer {

        private static final List<Class<?>> SECURITY = List.of(
                SecurityAutoConfiguration.class,
                UserDetailsServiceAutoConfiguration.class,
                ServletWebSecurityAutoConfiguration.class,
                SecurityFilterAutoConfiguration.class,
                ManagementWebSecurityAutoConfiguration.class);

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
            MutablePropertySources sources = context.getEnvironment().getPropertySources();
            for (PropertySource<?> source : sources.stream().toList()) {
                if (source.getName().startsWith("Config resource")) {
                    sources.remove(source.getName());
                }
            }
            for (String page : pages) {
                GuideYaml.addTo(
                        context.getEnvironment(), GuideBook.blocks(page, "yaml").get(0));
            }
            String without =
                    String.join(",", SECURITY.stream().map(Class::getName).toList());
            TestPropertyValues.of(
                            "spring.autoconfigure.exclude=" + without,
                            "spring.sql.init.mode=never",
                            "delayqueue.key-prefix=guide-" + Integer.toHexString(pages.hashCode()))
                    .applyTo(context);
        }
    }
}
