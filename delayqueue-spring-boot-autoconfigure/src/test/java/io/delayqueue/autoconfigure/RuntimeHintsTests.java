// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.TaskLease;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.autoconfigure.settings.QueueProperties;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.javapoet.ClassName;
import org.springframework.messaging.handler.annotation.Header;

/** The hints for ahead-of-time builds: files and members that are accessed by name. */
class RuntimeHintsTests {

    private static final RuntimeHints hints = new RuntimeHints();

    @BeforeAll
    static void buildAheadOfTime() {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.register(Application.class);
        new ApplicationContextAotGenerator()
                .processAheadOfTime(
                        context,
                        new DefaultGenerationContext(
                                new ClassNameGenerator(ClassName.get(RuntimeHintsTests.class)),
                                new InMemoryGeneratedFiles(),
                                hints));
    }

    @Test
    void scriptsAreKept() throws IOException {
        Resource[] scripts =
                new PathMatchingResourcePatternResolver().getResources("classpath*:io/delayqueue/**/*.lua");
        assertThat(scripts).hasSizeGreaterThan(20).allSatisfy(script -> {
            String url = script.getURL().toString();
            assertThat(RuntimeHintsPredicates.resource().forResource(url.substring(url.indexOf("io/delayqueue/"))))
                    .as(url)
                    .accepts(hints);
        });
    }

    @Test
    void connectionsAreReadByTheirMembers() throws ReflectiveOperationException {
        assertKept(RuntimeHintsPredicates.reflection()
                .onFieldAccess(LettuceConnectionFactory.class.getDeclaredField("configuration")));
        assertKept(RuntimeHintsPredicates.reflection()
                .onMethodInvocation(AbstractConnectionFactory.class.getDeclaredMethod("getAddresses")));
    }

    @Test
    void listenerMethodsAreCalled() throws ReflectiveOperationException {
        assertKept(RuntimeHintsPredicates.reflection()
                .onMethodInvocation(Listener.class.getDeclaredMethod(
                        "onTimeout", Order.class, DelayedTask.class, String.class, TaskLease.class)));
        assertKept(RuntimeHintsPredicates.reflection()
                .onMethodInvocation(Typed.class.getDeclaredMethod("onTyped", Object.class)));
    }

    @ParameterizedTest
    @ValueSource(classes = {Order.class, Line.class, InTask.class, InBatch.class, OfSubclass.class})
    void payloadsAreRead(Class<?> payload) {
        assertKept(RuntimeHintsPredicates.reflection().onConstructorInvocation(payload.getDeclaredConstructors()[0]));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                DelayQueueProperties.class,
                DelayQueueProperties.Redis.class,
                DelayQueueProperties.Rabbit.class,
                QueueProperties.class,
                QueueProperties.Retry.class,
                QueueProperties.Dead.class,
                QueueProperties.Trigger.class,
                QueueProperties.Rabbit.class,
                QueueProperties.Declare.class
            })
    void propertiesAreBound(Class<?> properties) {
        assertKept(RuntimeHintsPredicates.reflection()
                .onConstructorInvocation(properties.getDeclaredConstructors()[0]));
    }

    private static void assertKept(Predicate<RuntimeHints> wanted) {
        assertThat(wanted).accepts(hints);
    }

    record Order(long id, List<Line> lines) {}

    record Line(String item) {}

    record InTask(String text) {}

    record InBatch(String text) {}

    record OfSubclass(String text) {}

    static class Listener {

        @DelayQueueListener(queue = "orders")
        void onTimeout(Order order, DelayedTask<InTask> task, @Header("tenant") String tenant, TaskLease lease) {}

        @DelayQueueListener(queue = "batches")
        void onBatch(List<? extends DelayedTask<InBatch>> tasks) {}
    }

    abstract static class Typed<T> {

        @DelayQueueListener(queue = "typed")
        void onTyped(T payload) {}
    }

    static class TypedByItsSubclass extends Typed<OfSubclass> {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        SslAutoConfiguration.class,
        DataRedisAutoConfiguration.class,
        JacksonAutoConfiguration.class,
        RabbitAutoConfiguration.class,
        DelayQueueAutoConfiguration.class,
        DelayQueueRabbitAutoConfiguration.class
    })
    static class Application {

        @Bean
        Listener listener() {
            return new Listener();
        }

        @Bean
        TypedByItsSubclass typed() {
            return new TypedByItsSubclass();
        }
    }
}
