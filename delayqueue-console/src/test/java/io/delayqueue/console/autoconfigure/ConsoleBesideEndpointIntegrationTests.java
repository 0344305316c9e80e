// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RedisServer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.annotation.Configuration;

@DelayQueueServers
class ConsoleBesideEndpointIntegrationTests {

    private static WebApplicationContextRunner application(RedisServer redis) {
        return new WebApplicationContextRunner(AnnotationConfigServletWebServerApplicationContext::new)
                .withUserConfiguration(Application.class)
                .withPropertyValues(
                        "server.port=0",
                        "delayqueue.key-prefix=beside",
                        "delayqueue.redis.url=" + redis.uri(),
                        "delayqueue.queues.mails=",
                        "management.endpoints.web.exposure.include=delayqueue",
                        "management.endpoints.web.base-path=/");
    }

    @Test
    void startWhenBothHaveOnePathFailsAndNamesTheProperties(RedisServer redis) {
        application(redis)
                .withPropertyValues("delayqueue.console.exposed=true")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidConsoleSetupException.class)
                        .hasMessageContaining("/delayqueue")
                        .hasMessageContaining("Set delayqueue.console.path"));
    }

    @Test
    void startWhenThePathsDifferOrTheConsoleIsClosedSucceeds(RedisServer redis) {
        application(redis)
                .withPropertyValues("delayqueue.console.exposed=true", "delayqueue.console.path=/internal/queues")
                .run(context -> assertThat(context).hasNotFailed());
        application(redis).run(context -> assertThat(context).hasNotFailed());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
