// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.server.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authorization.AuthorityAuthorizationManager;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationManagers;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;

class ServletConsoleRulesIntegrationTests extends ConsoleRulesContract {

    @Configuration(proxyBeanMethods = false)
    static class Rules {

        @Bean
        SecurityFilterChain chain(
                HttpSecurity http,
                @Value("${rule}") Rule rule,
                @Value("${ruled:}") String ruled,
                @Value("${nearby:}") String nearby) {
            return http.authorizeHttpRequests(requests -> {
                        if (nearby.equals("console")) {
                            requests.requestMatchers(ruled).access(nearbyWith("STAFF"));
                            requests.anyRequest().authenticated();
                        } else if (nearby.equals("elsewhere")) {
                            requests.requestMatchers(ruled).hasRole("STAFF");
                            requests.anyRequest().access(nearbyWith("CUSTOMER"));
                        } else if (rule == Rule.FOR_STAFF) {
                            requests.requestMatchers(ruled).hasRole("STAFF");
                            requests.anyRequest().authenticated();
                        } else {
                            requests.anyRequest().hasRole("CUSTOMER");
                        }
                    })
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        private static AuthorizationManager<RequestAuthorizationContext> nearbyWith(String role) {
            return AuthorizationManagers.allOf(
                    (caller, request) ->
                            new AuthorizationDecision(request.getRequest().getRemoteAddr() != null),
                    AuthorityAuthorizationManager.hasRole(role));
        }

        @Bean
        InMemoryUserDetailsManager userDetails() {
            return new InMemoryUserDetailsManager(users());
        }
    }

    @Override
    void run(String[] properties, ContextConsumer<? super ApplicationContext> use) {
        new WebApplicationContextRunner(AnnotationConfigServletWebServerApplicationContext::new)
                .withUserConfiguration(Application.class, Rules.class)
                .withPropertyValues(properties)
                .run(use::accept);
    }

    @Override
    String contextPath(String path) {
        return "server.servlet.context-path=" + path;
    }

    /** Such as by its IP address. The rule itself is heeded, but cannot be tried for a request that does not exist. */
    @ParameterizedTest
    @ValueSource(strings = {"console", "elsewhere"})
    void consoleWhenARuleAsksMoreOfTheRequestIsClosedAndTheLogSaysWhatToDo(
            String where, RedisServer redis, CapturedOutput log) {
        run(
                redis,
                application -> {
                    assertClosed(application + "/delayqueue/queues/mails", STAFF);
                    assertClosed(application + "/delayqueue/queues/mails", CUSTOMER);
                },
                "rule=FOR_STAFF",
                "ruled=/delayqueue/**",
                "nearby=" + where);

        assertThat(log).containsOnlyOnce("cannot be tried, because").contains("delayqueue.console.roles");
    }

    /** Spring Boot puts the servlet's path before those of the rules. */
    @Test
    void consoleWhenTheServletHasAPathHasItsRuleAndItsLinksBehindThat(RedisServer redis) {
        run(
                redis,
                application -> {
                    assertOpen(application + "/api/delayqueue/queues/mails", STAFF);
                    assertClosed(application + "/api/delayqueue/queues/mails", CUSTOMER);
                    assertThat(get(application + "/api/delayqueue", STAFF).body())
                            .contains("href=\"/api/delayqueue/queues/mails\"");
                },
                "rule=FOR_STAFF",
                "ruled=/delayqueue/**",
                "spring.mvc.servlet.path=/api");
    }
}
