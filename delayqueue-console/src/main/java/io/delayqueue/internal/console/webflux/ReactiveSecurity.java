// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.webflux;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.console.RulePaths;
import io.delayqueue.internal.console.request.ConsoleRequest.Csrf;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** What the application's security has to do with the console. Nothing here blocks. */
public interface ReactiveSecurity {

    /** There is none. */
    ReactiveSecurity NONE = new ReactiveSecurity() {

        @Override
        public boolean isThere() {
            return false;
        }

        @Override
        public Mono<Caller> caller(ServerWebExchange exchange) {
            return exchange.getPrincipal().map(principal -> Caller.of(principal, role -> false));
        }

        @Override
        public Mono<Boolean> hasRuleFor(RulePaths paths, ServerWebExchange exchange) {
            return Mono.just(false);
        }

        @Override
        public Mono<Void> askWhoItIs(ServerWebExchange exchange) {
            return Mono.empty();
        }

        @Override
        public Mono<Csrf> csrf(ServerWebExchange exchange) {
            return Mono.empty();
        }
    };

    /** Whether the application has any. Known when all of its beans are made. */
    boolean isThere();

    /** Who asks; empty for nobody who is known. */
    Mono<Caller> caller(ServerWebExchange exchange);

    /** Whether there is a {@linkplain RulePaths rule} for the console, which is asked for by an exchange. */
    Mono<Boolean> hasRuleFor(RulePaths paths, ServerWebExchange exchange);

    /** Fails with what makes the application ask, where it can; else completes. */
    Mono<Void> askWhoItIs(ServerWebExchange exchange);

    /** What it wants to see in the forms; empty for nothing. */
    Mono<Csrf> csrf(ServerWebExchange exchange);
}
