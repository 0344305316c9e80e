// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.handler.DeliveryErrorHandler;
import io.delayqueue.handler.FailureCounting;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueFailureAnalyzer;
import io.delayqueue.trigger.ScanTrigger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import tools.jackson.databind.json.JsonMapper;

class InvalidSetupTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DataRedisAutoConfiguration.class, DelayQueueAutoConfiguration.class))
            .withPropertyValues("spring.data.redis.port=1");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    delayqueue.key-prefix                               | d{q                | 1 to 64 letters
                    delayqueue.redis.command-timeout                    | 0s                 | between 1ms and 365d
                    delayqueue.redis.request-queue-size                 | 2                  | at least 3
                    delayqueue.max-payload-size                         | 513MB              | between 1B and 512MB
                    delayqueue.queues.orders.shards                     | 0                  | between 1 and 1024
                    delayqueue.queues.orders.codec                      | xml                | one of [json, msgpack]
                    delayqueue.queues.orders.dead.retention             | 10s                | between 1m and 3650d
                    delayqueue.queues.orders.retry.max-delay            | 500ms              | at least retry.delay (1s)
                    delayqueue.queues.orders.retry.jitter               | 1.1                | between 0 and 1
                    delayqueue.queues.orders.stack-trace-size           | 255B               | 0B, or between 256B and 16KB
                    delayqueue.queues.orders.trigger.batch-size         | 501                | between 1 and 500
                    """)
    void aValueThatCannotWorkIsRefusedByItsProperty(String property, String value, String requirement) {
        runner.withPropertyValues("delayqueue.queues.orders.trigger.concurrency=1", property + "=" + value)
                .run(context -> {
                    FailureAnalysis analysis = analyze(context);
                    assertThat(analysis.getDescription())
                            .startsWith("The property " + property + " is '" + value + "'")
                            .contains(requirement);
                    assertThat(analysis.getAction()).contains("Set " + property, requirement);
                });
    }

    @ParameterizedTest
    @CsvSource({
        "delayqueue.queues.orders.expires-after, 60, Write 60s for seconds or 60ms for milliseconds.",
        "delayqueue.queues.orders.handler.timeout, 30, Write 30s for seconds or 30ms for milliseconds.",
        "delayqueue.queues.orders.handler.timeout, +30, Write +30s for seconds or +30ms for milliseconds.",
        "delayqueue.defaults.lease, ${LEASE}, Write 45s for seconds or 45ms for milliseconds.",
        "delayqueue.redis.command-timeout, 2, Write 2s for seconds or 2ms for milliseconds.",
        "delayqueue.metrics.interval, 15, Write 15s for seconds or 15ms for milliseconds."
    })
    void aDurationWithoutAUnitIsRefusedWithWhatToWrite(String property, String value, String action) {
        runner.withPropertyValues("LEASE=45", "delayqueue.queues.orders.shards=1", property + "=" + value)
                .run(context -> {
                    FailureAnalysis analysis = analyze(context);
                    assertThat(analysis.getDescription())
                            .contains("The property " + property + " is '", "', a duration without a unit.");
                    assertThat(analysis.getAction()).isEqualTo(action);
                });
    }

    @Test
    void aValueThatWasInheritedIsRefusedWhereItIsSet() {
        runner.withPropertyValues("delayqueue.defaults.lease=0s", "delayqueue.queues.orders.shards=1")
                .run(context -> assertThat(analyze(context).getDescription())
                        .startsWith("The property delayqueue.defaults.lease is '0s'"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "delayqueue.queues.orders.leese",
                "delayqueue.queues.orders.rabbit.exchnage",
                "delayqueue.queues.shop.orders.lease",
                "delayqueue.queue.orders.lease",
                "delayqueue.defaults.retry.max-retrys",
                "delayqueue.key-prefx"
            })
    void aPropertyThatNothingReadsIsRefused(String property) {
        runner.withPropertyValues("delayqueue.queues.orders.lease=45s", property + "=30s")
                .run(context -> {
                    FailureAnalysis analysis = analyze(context);
                    assertThat(analysis.getDescription())
                            .isEqualTo("The library does not know the property " + "" + property + ".");
                    assertThat(analysis.getAction()).contains("Correct the name", "in brackets and quotes");
                });
    }

    @Test
    void aQueueWhoseNameLacksItsBracketsIsRefusedThoughItSaysNothing() {
        runner.withPropertyValues("delayqueue.queues.shop.orders=")
                .run(context ->
                        assertThat(analyze(context).getDescription()).contains("delayqueue.queues.shop.orders"));
    }

    @Test
    void severalPropertiesThatNothingReadsAreNamedTogether() {
        runner.withPropertyValues("delayqueue.queues.orders.leese=1s", "delayqueue.queues.orders.retri.jitter=0")
                .run(context -> assertThat(analyze(context).getDescription())
                        .contains("The library does not know the properties delayqueue.queues.orders.leese, "
                                + "delayqueue.queues.orders.retri.jitter."));
    }

    @Test
    void theMessageTellsWhereTheValueWasSet() {
        runner.withPropertyValues("delayqueue.queues.orders.lease=0s").run(context -> {
            Environment environment = environmentOf("delayqueue.queues.orders.lease=0s");
            FailureAnalysis analysis = new DelayQueueFailureAnalyzer(environment).analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("was set by", "from property source \"test\"");
        });
    }

    @Test
    void severalErrorHandlersOrFailureCountingsWithoutAPrimaryAreRefused() {
        runner.withBean("one", DeliveryErrorHandler.class, () -> DeliveryErrorHandler.NONE)
                .withBean("two", DeliveryErrorHandler.class, () -> DeliveryErrorHandler.NONE)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(NoUniqueBeanDefinitionException.class)
                        .hasMessageContaining("one,two"));
        runner.withBean("one", FailureCounting.class, () -> FailureCounting.ALL)
                .withBean("two", FailureCounting.class, () -> FailureCounting.ALL)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(NoUniqueBeanDefinitionException.class));
    }

    @Test
    void severalJsonMappersAreRefusedUnlessOneIsPrimaryOrTheCodecHasOne() {
        ApplicationContextRunner two = runner.withBean("one", JsonMapper.class, JsonMapper::new)
                .withBean("two", JsonMapper.class, JsonMapper::new);
        two.run(context -> {
            FailureAnalysis analysis = analyze(context);
            assertThat(analysis.getDescription())
                    .startsWith("There are several JsonMapper beans, and not exactly one is primary: ")
                    .endsWith(": one,two");
            assertThat(analysis.getAction())
                    .isEqualTo(
                            "Mark one as @Primary, or declare a JacksonPayloadCodec bean with the mapper for payloads.");
        });
        two.withBean("main", JsonMapper.class, JsonMapper::new, bean -> bean.setPrimary(true))
                .run(context -> assertThat(context).hasNotFailed());
        two.withBean(JacksonPayloadCodec.class, () -> new JacksonPayloadCodec(new JsonMapper()))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void twoTriggersForOneQueueAreRefused() {
        runner.withPropertyValues("delayqueue.queues.orders.trigger.auto-startup=false")
                .withUserConfiguration(TwoTriggers.class)
                .run(context -> {
                    FailureAnalysis analysis = analyze(context);
                    assertThat(analysis.getDescription())
                            .contains("Queue 'orders' has two triggers, the beans 'first' and 'second'");
                    assertThat(analysis.getAction()).contains("Remove one");
                });
    }

    @Test
    void aTriggerForAQueueThatIsNotConfiguredIsRefused() {
        runner.withPropertyValues("delayqueue.queues.mails.trigger.auto-startup=false")
                .withUserConfiguration(OneTrigger.class)
                .run(context -> {
                    FailureAnalysis analysis = analyze(context);
                    assertThat(analysis.getDescription())
                            .contains(
                                    "The trigger bean 'first' names the queue 'orders'",
                                    "delayqueue.queues.orders is not configured",
                                    "Configured queues: [mails]");
                    assertThat(analysis.getAction()).contains("Configure delayqueue.queues.orders");
                });
    }

    private static FailureAnalysis analyze(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        FailureAnalysis analysis = new DelayQueueFailureAnalyzer(null).analyze(context.getStartupFailure());
        assertThat(analysis).as("analysis of %s", context.getStartupFailure()).isNotNull();
        return analysis;
    }

    private static Environment environmentOf(String pair) {
        StandardEnvironment environment = new StandardEnvironment();
        org.springframework.boot.test.util.TestPropertyValues.of(pair).applyTo(environment);
        org.springframework.boot.context.properties.source.ConfigurationPropertySources.attach(environment);
        return environment;
    }

    static class Trigger extends ScanTrigger {

        Trigger() {
            super("orders");
        }

        @Override
        protected TaskDestination createDestination() {
            throw new AssertionError("the context is refused before any trigger starts");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneTrigger {

        @Bean
        Trigger first() {
            return new Trigger();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoTriggers extends OneTrigger {

        @Bean
        Trigger second() {
            return new Trigger();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoConnectionFactories {

        @Bean
        LettuceConnectionFactory one() {
            return new LettuceConnectionFactory("localhost", 1);
        }

        @Bean
        LettuceConnectionFactory two() {
            return new LettuceConnectionFactory("localhost", 2);
        }
    }
}
