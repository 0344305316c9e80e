// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.server.RedisServer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.web.server.reactive.context.AnnotationConfigReactiveWebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.web.server.SecurityWebFilterChain;

class ReactiveConsoleRulesIntegrationTests extends ConsoleRulesContract {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty("rule")
    static class Rules {

        @Bean
        SecurityWebFilterChain chain(
                ServerHttpSecurity http, @Value("${rule}") Rule rule, @Value("${ruled:}") String ruled) {
            return http.authorizeExchange(requests -> {
                        if (rule == Rule.FOR_STAFF) {
                            requests.pathMatchers(ruled).hasRole("STAFF");
                            requests.anyExchange().authenticated();
                        } else {
                            requests.anyExchange().hasRole("CUSTOMER");
                        }
                    })
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        MapReactiveUserDetailsService userDetails() {
            return new MapReactiveUserDetailsService(users());
        }
    }

    @Override
    void run(String[] properties, ContextConsumer<? super ApplicationContext> use) {
        new ReactiveWebApplicationContextRunner(AnnotationConfigReactiveWebServerApplicationContext::new)
                .withUserConfiguration(Application.class, Rules.class)
                .withPropertyValues(properties)
                .run(use::accept);
    }

    @Override
    String contextPath(String path) {
        return "spring.webflux.base-path=" + path;
    }

    @Test
    void consoleWhenSpringSecurityIsThereAndHasNoChainSaysAtStartThatItIsClosed(
            RedisServer redis, CapturedOutput output) {
        run(
                redis,
                application -> assertThat(
                                get(application + "/delayqueue", CUSTOMER).statusCode())
                        .isEqualTo(404),
                "spring.autoconfigure.exclude="
                        + "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration,"
                        + "org.springframework.boot.security.autoconfigure.actuate.web.reactive"
                        + ".ReactiveManagementWebSecurityAutoConfiguration");

        assertThat(output).contains("WARN", "The console at /delayqueue is closed");
    }
}
