// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.autoconfigure.endpoint.AuditEvents;
import io.delayqueue.internal.autoconfigure.endpoint.AuditLog;
import io.delayqueue.internal.autoconfigure.endpoint.DelayQueueEndpoint;
import io.delayqueue.internal.control.QueueControl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The conditions for the endpoint. Redis is not used. */
class DelayQueueEndpointAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DelayQueueEndpointAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class,
                    DataRedisAutoConfiguration.class,
                    JacksonAutoConfiguration.class))
            .withPropertyValues("spring.data.redis.port=1", "delayqueue.queues.orders.shards=1");

    @Test
    void endpointWhenNotExposedIsAbsent() {
        runner.run(context -> assertThat(context)
                .hasSingleBean(QueueControl.class)
                .hasSingleBean(AuditLog.class)
                .hasSingleBean(AuditEvents.class)
                .doesNotHaveBean(DelayQueueEndpoint.class));
    }

    @Test
    void endpointWhenExposedOverHttpIsThere() {
        runner.withPropertyValues("management.endpoints.web.exposure.include=delayqueue")
                .run(context -> assertThat(context).hasSingleBean(DelayQueueEndpoint.class));
    }

    @Test
    void endpointWhenThereIsNoAccessToItIsAbsent() {
        runner.withPropertyValues(
                        "management.endpoints.web.exposure.include=*", "management.endpoint.delayqueue.access=NONE")
                .run(context -> assertThat(context).doesNotHaveBean(DelayQueueEndpoint.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"org.springframework.boot.actuate", "org.springframework.boot.actuate.autoconfigure"})
    void endpointWhenTheActuatorIsNotThereIsAbsent(String missing) {
        runner.withClassLoader(new FilteredClassLoader(missing))
                .withPropertyValues("management.endpoints.web.exposure.include=*")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(QueueControl.class)
                        .doesNotHaveBean(DelayQueueEndpoint.class));
    }
}
