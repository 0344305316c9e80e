// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import io.delayqueue.internal.console.Console;
import io.delayqueue.internal.console.ConsoleGate;
import io.delayqueue.internal.console.OpenStreams;
import io.delayqueue.internal.console.mvc.ApplicationSecurity;
import io.delayqueue.internal.console.mvc.ConsoleHandler;
import io.delayqueue.internal.console.mvc.SpringSecurity;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.WebInvocationPrivilegeEvaluator;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** The console in an application with Spring MVC. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass(RouterFunction.class)
class MvcConsoleConfiguration {

    @Bean
    RouterFunction<ServerResponse> delayQueueConsoleRoutes(
            DelayQueueConsoleProperties properties,
            Console console,
            ConsoleGate gate,
            ApplicationSecurity security,
            OpenStreams streams) {
        ConsolePath path = ConsolePath.of(properties.path());
        return RouterFunctions.route(
                RequestPredicates.path(path.pattern()),
                new ConsoleHandler(path.text(), console, gate, security, streams));
    }

    @Bean
    SmartInitializingSingleton delayQueueConsoleOpening(
            DelayQueueConsoleProperties properties, ApplicationSecurity security) {
        return () -> ConsoleOpening.tell(properties, security != ApplicationSecurity.NONE);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebInvocationPrivilegeEvaluator.class)
    static class Secured {

        @Bean
        ApplicationSecurity delayQueueConsoleSecurity(
                ObjectProvider<WebInvocationPrivilegeEvaluator> evaluator, ObjectProvider<SecurityFilterChain> chains) {
            WebInvocationPrivilegeEvaluator rules = evaluator.getIfAvailable();
            return rules == null
                    ? ApplicationSecurity.NONE
                    : new SpringSecurity(rules, chains.orderedStream().toList());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.security.web.access.WebInvocationPrivilegeEvaluator")
    static class Unsecured {

        @Bean
        ApplicationSecurity delayQueueConsoleSecurity() {
            return ApplicationSecurity.NONE;
        }
    }
}
