// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueException;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.elsewhere.HiddenListener;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.HandlerOptions;
import io.delayqueue.handler.HandlerRegistration;
import io.delayqueue.handler.TaskHandlerRegistry;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.beans.factory.config.Scope;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** Listeners follow the life of their beans, on a real Redis. */
class ListenerBeansIntegrationTests extends ListenerScene {

    /** The handlers of tasks, across the contexts and the instances of a test. */
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

    /** As the refresh scope of Spring Cloud: all its beans are destroyed at once and made anew when they are needed. */
    static class Refreshable implements Scope {

        private final Map<String, Object> beans = new HashMap<>();
        private final Map<String, Runnable> destructions = new HashMap<>();

        @Override
        public synchronized Object get(String name, ObjectFactory<?> factory) {
            Object bean = beans.get(name);
            if (bean == null) {
                bean = factory.getObject();
                beans.put(name, bean);
            }
            return bean;
        }

        @Override
        public synchronized Object remove(String name) {
            destructions.remove(name);
            return beans.remove(name);
        }

        @Override
        public synchronized void registerDestructionCallback(String name, Runnable callback) {
            destructions.put(name, callback);
        }

        synchronized void refresh() {
            destructions.values().forEach(Runnable::run);
            destructions.clear();
            beans.clear();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class RefreshScope {

        @Bean
        static Refreshable refreshable() {
            return new Refreshable();
        }

        @Bean
        static CustomScopeConfigurer scopes(Refreshable refreshable) {
            CustomScopeConfigurer configurer = new CustomScopeConfigurer();
            configurer.addScope("refreshable", refreshable);
            return configurer;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithoutScopedProxy {

        @Bean
        @org.springframework.context.annotation.Scope("refreshable")
        Listener listener() {
            return new Listener();
        }
    }

    @Test
    void listenerWhenItsScopedBeanHasNoProxyListensFromItsMakingToItsDestruction() {
        runner.withUserConfiguration(RefreshScope.class, WithoutScopedProxy.class)
                .run(context -> {
                    TaskHandlerRegistry registry = context.getBean(TaskHandlerRegistry.class);
                    assertThat(registry.queues()).isEmpty();
                    context.getBean(Listener.class);
                    handles(context, "a", "a by 1");
                    context.getBean(Refreshable.class).refresh();
                    assertThat(registry.queues()).isEmpty();
                    context.getBean(Listener.class);
                    handles(context, "b", "b by 2");
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class PrototypeBehindAProxy {

        @Bean
        @org.springframework.context.annotation.Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Listener listener() {
            return new Listener();
        }
    }

    @Test
    void listenerWhenItIsAPrototypeBehindAProxyIsMadeForEachTask() {
        runner.withUserConfiguration(PrototypeBehindAProxy.class).run(context -> {
            handles(context, "a", "a by 1");
            handles(context, "b", "b by 2");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Prototype {

        @Bean
        @org.springframework.context.annotation.Scope("prototype")
        Listener listener() {
            return new Listener();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrototypesOfAFactory {

        @Bean
        ListenerFactory listener() {
            return new ListenerFactory(false);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Prototype.class, PrototypesOfAFactory.class})
    void startWhenAListenerIsAPrototypeFails(Class<?> configuration) {
        runner.withUserConfiguration(configuration)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(DelayQueueException.class)
                        .hasMessageContaining("The bean 'listener' of type " + Listener.class.getName())
                        .hasMessageContaining("is a prototype")
                        .hasMessageContaining("Make it a singleton"));
    }

    @Configuration(proxyBeanMethods = false)
    static class OfARequest {

        @Bean
        @org.springframework.context.annotation.Scope(scopeName = "request", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Listener listener() {
            return new Listener();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfASession {

        @Bean
        @org.springframework.context.annotation.Scope("session")
        Listener listener() {
            return new Listener();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OfARequest.class, OfASession.class})
    void startWhenAListenerIsOfAScopeThatNoWorkerIsInFails(Class<?> configuration) {
        runner.withUserConfiguration(configuration)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(DelayQueueException.class)
                        .hasMessageContaining("is in scope '")
                        .hasMessageContaining("Make it a singleton"));
    }

    static class ListenerFactory implements FactoryBean<Listener> {

        private final boolean singleton;

        ListenerFactory(boolean singleton) {
            this.singleton = singleton;
        }

        @Override
        public Listener getObject() {
            return new Listener();
        }

        @Override
        public Class<?> getObjectType() {
            return Listener.class;
        }

        @Override
        public boolean isSingleton() {
            return singleton;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ProductOfAFactory {

        @Bean
        ListenerFactory listener() {
            return new ListenerFactory(true);
        }
    }

    @Test
    void listenerWhenItIsTheProductOfAFactoryBeanListensFromTheStart() {
        runner.withUserConfiguration(ProductOfAFactory.class).run(context -> handles(context, "a", "a by 1"));
    }

    @Test
    void listenerWhenAllBeansAreLazyListensFromTheStart() {
        runner.withBean(Listener.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> handles(context, "a", "a by 1"));
    }

    @Test
    void listenerWhenItsSingletonIsDestroyedLeavesItsQueueToAnother() {
        runner.withBean("listener", Listener.class).run(context -> {
            handles(context, "a", "a by 1");
            DefaultListableBeanFactory beans = (DefaultListableBeanFactory) context.getBeanFactory();
            beans.removeBeanDefinition("listener");
            TaskHandlerRegistry registry = context.getBean(TaskHandlerRegistry.class);
            assertThat(registry.queues()).isEmpty();
            HandlerRegistration other = registry.register("orders", String.class, task -> seen.add("other"));
            handles(context, "b", "other");
            other.close();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class RegistrationAsABean {

        @Bean
        HandlerRegistration registration(TaskHandlerRegistry registry) {
            return registry.register(
                    "orders",
                    String.class,
                    task -> seen.add(task.payload()),
                    HandlerOptions.builder().id("mine").autoStartup(false).build());
        }
    }

    /** Its options stay in force, and closing the context ends it once. */
    @Test
    void registrationWhenItIsABeanIsAHandlerWithItsOptions() {
        runner.withUserConfiguration(RegistrationAsABean.class).run(context -> {
            assertThat(context).hasNotFailed();
            HandlerRegistration registration = context.getBean(HandlerRegistration.class);
            assertThat(registration.isRunning()).isFalse();
            registration.start();
            handles(context, "a", "a");
        });
    }

    static class TwoMethods {

        @DelayQueueListener(queue = "orders")
        void first(String text) {}

        @DelayQueueListener(queue = "later")
        void second(String text) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyTwoMethods {

        @Bean
        @Lazy
        TwoMethods twoMethods() {
            return new TwoMethods();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders", "later"})
    void listenerWhenOneOfItsMethodsCannotBeRegisteredLeavesTheQueuesOfTheOthersFree(String taken) {
        runner.withUserConfiguration(LazyTwoMethods.class).run(context -> {
            TaskHandlerRegistry registry = context.getBean(TaskHandlerRegistry.class);
            HandlerRegistration other = registry.register(taken, String.class, task -> {});
            assertThatExceptionOfType(Exception.class)
                    .isThrownBy(() -> context.getBean(TwoMethods.class))
                    .withStackTraceContaining("Queue '" + taken + "' already has a handler");
            assertThat(registry.queues()).containsExactly(taken);
            other.close();
            context.getBean(TwoMethods.class);
            assertThat(registry.queues()).containsExactlyInAnyOrder("orders", "later");
        });
    }

    @Aspect
    static class Noting {

        @Before("bean(*istener)")
        public void note() {
            seen.add("advice");
        }
    }

    @EnableAspectJAutoProxy(proxyTargetClass = true)
    @Configuration(proxyBeanMethods = false)
    static class ProxiesOfClasses {

        @Bean
        static Noting noting() {
            return new Noting();
        }
    }

    @EnableAspectJAutoProxy(proxyTargetClass = false)
    @Configuration(proxyBeanMethods = false)
    static class ProxiesOfInterfaces {

        @Bean
        static Noting noting() {
            return new Noting();
        }
    }

    interface Handling {

        void handle(String text);
    }

    static class ListenerOfAnInterface extends Listener implements Handling {}

    @ParameterizedTest
    @ValueSource(classes = {ProxiesOfClasses.class, ProxiesOfInterfaces.class})
    void listenerWhenItsBeanHasAProxyIsCalledThroughItAndClosedWithTheBean(Class<?> proxies) {
        runner.withUserConfiguration(proxies)
                .withBean("listener", ListenerOfAnInterface.class)
                .run(context -> {
                    handles(context, "a", "a by 1");
                    assertThat(seen).containsExactly("advice", "a by 1");
                    ((DefaultListableBeanFactory) context.getBeanFactory()).removeBeanDefinition("listener");
                    assertThat(context.getBean(TaskHandlerRegistry.class).queues())
                            .isEmpty();
                });
    }

    interface HandlingOfTenants {

        void handle(String text, String tenant);
    }

    static class HeaderInTheClass implements HandlingOfTenants {

        @Override
        @DelayQueueListener(queue = "orders")
        public void handle(String text, @Header("tenant") String tenant) {}
    }

    interface HandlingOf<T> {

        void handle(DelayedTask<T> task);
    }

    static class TypeInTheClass implements HandlingOf<BigDecimal> {

        @Override
        @DelayQueueListener(queue = "orders")
        public void handle(DelayedTask<BigDecimal> task) {}
    }

    @ParameterizedTest
    @ValueSource(classes = {HeaderInTheClass.class, TypeInTheClass.class})
    void listenerWhenTheInterfaceOfItsProxyHasOtherParametersIsRefused(Class<?> listener) {
        runner.withUserConfiguration(ProxiesOfInterfaces.class)
                .withBean("listener", listener)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(DelayQueueException.class)
                        .hasMessageContaining(listener.getSimpleName() + ".handle")
                        .hasMessageContaining("or set spring.aop.proxy-target-class: true"));
        runner.withUserConfiguration(ProxiesOfClasses.class)
                .withBean("listener", listener)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class NotInItsInterface implements Handling {

        @Override
        public void handle(String text) {}

        @DelayQueueListener(queue = "orders")
        public void listen(String text) {}
    }

    static class FinalMethod {

        private final List<String> texts = new CopyOnWriteArrayList<>();

        @DelayQueueListener(queue = "orders")
        public final void handle(String text) {
            texts.add(text);
        }
    }

    static class InheritsWhatItCannotOverride extends HiddenListener {

        /** For the aspect. */
        @DelayQueueListener(queue = "later")
        public void handleLater(String text) {}
    }

    @Test
    void startWhenTheMethodIsHiddenFromTheProxyFailsAndSaysWhatToDo() {
        runner.withUserConfiguration(ProxiesOfClasses.class)
                .withBean("listener", InheritsWhatItCannotOverride.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(DelayQueueException.class)
                        .hasMessageContaining("HiddenListener.handle")
                        .hasMessageContaining("Make it public or protected"));
    }

    @EnableAsync
    @Configuration(proxyBeanMethods = false)
    static class AsyncBehindAScopedProxy {

        @Bean
        @org.springframework.context.annotation.Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        AsyncListener asyncListener() {
            return new AsyncListener();
        }
    }

    static class AsyncListener {

        @Async
        @DelayQueueListener(queue = "orders")
        public void handle(String text) {
            throw new IllegalStateException(text);
        }
    }

    @Test
    void startWhenAListenerBehindAScopedProxyIsAsynchronousFails() {
        runner.withUserConfiguration(AsyncBehindAScopedProxy.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(DelayQueueException.class)
                        .hasMessageContaining("AsyncListener.handle")
                        .hasMessageContaining("before its work has ended"));
    }

    @Test
    void startWhenTheProxyCannotPassOnTheCallFailsAndSaysWhatToDo() {
        runner.withUserConfiguration(ProxiesOfInterfaces.class)
                .withBean("listener", NotInItsInterface.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(DelayQueueException.class)
                        .hasMessageContaining("NotInItsInterface.listen")
                        .hasMessageContaining("pull the method up to an interface"));
        runner.withUserConfiguration(ProxiesOfClasses.class)
                .withBean("listener", FinalMethod.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(DelayQueueException.class)
                        .hasMessageContaining("FinalMethod.handle")
                        .hasMessageContaining("Remove 'final'"));
    }

    private static void handles(AssertableApplicationContext context, String text, String entry) {
        context.getBean(DelayQueueOperations.class).schedule(requestTo("orders", text, Duration.ZERO));
        await().atMost(PATIENCE).until(() -> seen.contains(entry));
    }
}
