// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueException;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.TaskHandlerRegistry;
import jakarta.validation.Valid;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.validation.Validator;

/** Listeners that post-processors of Spring do not see, on a real Redis. */
@ExtendWith(OutputCaptureExtension.class)
class ListenerContextsIntegrationTests extends ListenerScene {

    private static final List<String> seen = new CopyOnWriteArrayList<>();

    @BeforeEach
    void forget() {
        seen.clear();
        Listener.made = 0;
    }

    static class Listener {

        static int made;
        private final int number = ++made;

        @DelayQueueListener(queue = "orders")
        public void handle(String text) {
            seen.add(text + " by " + number);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithListener {

        @Bean
        Listener listener() {
            return new Listener();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithLazyListener {

        @Bean
        @Lazy
        Listener listener() {
            return new Listener();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithWrongListener {

        @Bean
        Wrong wrong() {
            return new Wrong();
        }
    }

    static class Wrong {

        @DelayQueueListener(queue = "later")
        public void first(String text) {}

        @DelayQueueListener(queue = "missing")
        public void handle(String text) {}
    }

    @Test
    void listenerWhenItIsInAChildContextListensUntilThatIsClosed() {
        runner.run(context -> {
            TaskHandlerRegistry registry = context.getBean(TaskHandlerRegistry.class);
            try (AnnotationConfigApplicationContext child = child(context, WithListener.class)) {
                handles(context, "a", "a by 1");
                assertThat(child.getBean(TaskHandlerRegistry.class)).isSameAs(registry);
            }
            assertThat(registry.queues()).isEmpty();
            try (AnnotationConfigApplicationContext second = child(context, WithListener.class)) {
                handles(context, "b", "b by 2");
                assertThat(second.isActive()).isTrue();
            }
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class WithValidator {

        @Bean
        Validator validator() {
            return Validator.forInstanceOf(String.class, (text, errors) -> errors.reject("never"));
        }

        @DelayQueueListener(queue = "orders")
        void handle(@Valid String text) {}
    }

    @Test
    void listenerWhenItIsInAChildContextHasThePayloadValidatedByItsValidator() {
        runner.run(context -> {
            try (AnnotationConfigApplicationContext child = child(context, WithValidator.class)) {
                assertThat(awaitDead(child, "orders", schedule(child, "orders", "a"))
                                .lastReason())
                        .hasValueSatisfying(reason -> assertThat(reason).contains("NotValid"));
            }
        });
    }

    @Test
    void listenerWhenItIsInAContextOfAChildIsRegisteredOnce() {
        runner.run(context -> {
            try (AnnotationConfigApplicationContext child = child(context);
                    AnnotationConfigApplicationContext below = child(child, WithListener.class)) {
                handles(context, "a", "a by 1");
                assertThat(below.isActive()).isTrue();
            }
        });
    }

    @Test
    void listenerWhenAChildContextMakesItLaterListensFromThenOn(CapturedOutput log) {
        runner.run(context -> {
            try (AnnotationConfigApplicationContext child = child(context, WithLazyListener.class)) {
                assertThat(log)
                        .contains("The queues [orders] have @DelayQueueListener methods in bean 'listener'")
                        .contains("Remove @Lazy");
                child.getBean(Listener.class);
                handles(context, "a", "a by 1");
            }
            assertThat(context.getBean(TaskHandlerRegistry.class).queues()).isEmpty();
        });
    }

    @Test
    void startOfAChildContextWhenAListenerCannotBeRegisteredFailsAndLeavesNothing() {
        runner.run(context -> {
            assertThatExceptionOfType(DelayQueueException.class)
                    .isThrownBy(() -> child(context, WithWrongListener.class))
                    .withMessageContaining("missing");
            assertThat(context.getBean(TaskHandlerRegistry.class).queues()).isEmpty();
        });
    }

    @Test
    void startWhenALazyListenerIsMissingWarns(CapturedOutput log) {
        runner.withUserConfiguration(WithLazyListener.class).run(context -> {
            assertThat(log).contains("The queues [orders] have @DelayQueueListener methods in bean 'listener'");
            context.getBean(Listener.class);
            handles(context, "a", "a by 1");
        });
    }

    @Test
    void startWhenEveryListenerIsThereDoesNotWarn(CapturedOutput log) {
        runner.withUserConfiguration(WithListener.class)
                .run(context -> assertThat(log).doesNotContain("@DelayQueueListener methods"));
    }

    @Configuration(proxyBeanMethods = false)
    static class InTheRefreshScope {

        /** As {@code @RefreshScope} does. */
        @Bean
        @Scope(scopeName = "refresh", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Listener listener() {
            return new Listener();
        }
    }

    @Test
    void listenerWhenItIsInTheRefreshScopeOfSpringCloudListensAndIsMadeAnew() throws Exception {
        File[] jars = Objects.requireNonNull(
                new File("target/spring-cloud").listFiles(), "target/spring-cloud is made by Maven");
        try (URLClassLoader cloud =
                new URLClassLoader(new URL[] {url(jars[0])}, getClass().getClassLoader())) {
            Class<?> scope = cloud.loadClass("org.springframework.cloud.context.scope.refresh.RefreshScope");
            runner.withInitializer(context -> ((BeanDefinitionRegistry) context.getBeanFactory())
                            .registerBeanDefinition("refreshScope", new RootBeanDefinition(scope)))
                    .withUserConfiguration(InTheRefreshScope.class)
                    .run(context -> {
                        handles(context, "a", "a by 1");
                        Object refreshScope = context.getBean("refreshScope");
                        scope.getMethod("refreshAll").invoke(refreshScope);
                        handles(context, "b", "b by 2");
                        assertThat(context.getBean(TaskHandlerRegistry.class).queues())
                                .containsExactly("orders");
                    });
        }
    }

    private static URL url(File file) throws MalformedURLException {
        return file.toURI().toURL();
    }

    private static AnnotationConfigApplicationContext child(ApplicationContext parent, Class<?>... configurations) {
        AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
        child.setParent(parent);
        if (configurations.length > 0) {
            child.register(configurations);
        }
        child.refresh();
        return child;
    }

    private static void handles(ApplicationContext context, String text, String entry) {
        context.getBean(DelayQueueOperations.class)
                .queue("orders", String.class)
                .schedule(text, text, Due.now());
        await().atMost(Duration.ofSeconds(10)).until(() -> seen.contains(entry));
    }
}
