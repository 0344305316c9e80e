// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import io.delayqueue.internal.console.Console;
import io.delayqueue.internal.console.ConsoleGate;
import io.delayqueue.internal.console.OpenStreams;
import io.delayqueue.internal.console.webflux.ReactiveConsoleHandler;
import io.delayqueue.internal.console.webflux.ReactiveSecurity;
import io.delayqueue.internal.console.webflux.SpringReactiveSecurity;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The console in an application with WebFlux. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass(RouterFunction.class)
class WebFluxConsoleConfiguration {

    private static final int THREADS = 16;
    private static final int WAITING = 10_000;

    @Bean
    RouterFunction<ServerResponse> delayQueueConsoleRoutes(
            DelayQueueConsoleProperties properties,
            Console console,
            ConsoleGate gate,
            ReactiveSecurity security,
            OpenStreams streams,
            @Qualifier("delayQueueConsoleThreads") Scheduler threads) {
        ConsolePath path = ConsolePath.of(properties.path());
        return RouterFunctions.route(
                RequestPredicates.path(path.pattern()),
                new ReactiveConsoleHandler(path.text(), console, gate, security, streams, threads));
    }

    /** The console's own, so that it never takes those of the application. What is asked beyond them waits. */
    @Bean(defaultCandidate = false, destroyMethod = "dispose")
    Scheduler delayQueueConsoleThreads() {
        return Schedulers.newBoundedElastic(THREADS, WAITING, "delayqueue-console", 30, true);
    }

    /** When all beans are made, so that the chains are asked for which there are, and not for the class. */
    @Bean
    SmartInitializingSingleton delayQueueConsoleOpening(
            DelayQueueConsoleProperties properties, ReactiveSecurity security) {
        return () -> ConsoleOpening.tell(properties, security.isThere());
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SecurityWebFilterChain.class)
    static class Secured {

        @Bean
        ReactiveSecurity delayQueueConsoleSecurity(ObjectProvider<SecurityWebFilterChain> chains) {
            return new SpringReactiveSecurity(() -> chains.orderedStream().toList());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.security.web.server.SecurityWebFilterChain")
    static class Unsecured {

        @Bean
        ReactiveSecurity delayQueueConsoleSecurity() {
            return ReactiveSecurity.NONE;
        }
    }
}
