// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.webflux;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.console.RulePaths;
import io.delayqueue.internal.console.request.ConsoleRequest.Csrf;
import java.security.Principal;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authorization.AuthorizationWebFilter;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Spring Security, in front of the console by the application's own filter chains. */
public final class SpringReactiveSecurity implements ReactiveSecurity {

    private static final String ROLE = "ROLE_";

    private final Supplier<List<SecurityWebFilterChain>> chains;

    /**
     * @param chains in the order in which they are asked. It is called when a request needs them: to make them may take
     *     the mapping of routes, which would then be made without the console's
     */
    public SpringReactiveSecurity(Supplier<List<SecurityWebFilterChain>> chains) {
        this.chains = SingletonSupplier.of(chains);
    }

    @Override
    public Mono<Caller> caller(ServerWebExchange exchange) {
        return exchange.getPrincipal()
                .filter(principal -> !(principal instanceof AnonymousAuthenticationToken))
                .map(principal -> Caller.of(principal, role -> hasRole(principal, role)));
    }

    private static boolean hasRole(Principal principal, String role) {
        String authority = role.startsWith(ROLE) ? role : ROLE + role;
        return principal instanceof Authentication authentication
                && authentication.getAuthorities().stream()
                        .anyMatch(granted -> authority.equals(granted.getAuthority()));
    }

    @Override
    public boolean isThere() {
        return !chains.get().isEmpty();
    }

    @Override
    public Mono<Boolean> hasRuleFor(RulePaths paths, ServerWebExchange exchange) {
        return Flux.fromIterable(paths.own())
                .concatMap(path -> refusesWithoutAuthority(at(path, exchange)))
                .all(refused -> refused)
                .flatMap(refusedHere -> refusedHere
                        ? Flux.fromIterable(paths.elsewhere())
                                .concatMap(path -> refusesWithoutAuthority(at(path, exchange)))
                                .all(refused -> !refused)
                        : Mono.just(false));
    }

    private static ServerWebExchange at(String path, ServerWebExchange exchange) {
        String context = exchange.getRequest().getPath().contextPath().value();
        return exchange.mutate()
                .request(request -> request.path(context + path))
                .build();
    }

    /** Whether somebody who is known and has no authority at all is refused there. */
    private Mono<Boolean> refusesWithoutAuthority(ServerWebExchange exchange) {
        Authentication nobody = new PreAuthenticatedAuthenticationToken("delayqueue-console", "", List.of());
        return chain(exchange)
                .flatMapMany(SecurityWebFilterChain::getWebFilters)
                .ofType(AuthorizationWebFilter.class)
                .concatMap(rules -> rules.filter(exchange, allowed -> Mono.empty())
                        .thenReturn(false)
                        .onErrorResume(AccessDeniedException.class, refused -> Mono.just(true)))
                .any(refused -> refused)
                .contextWrite(ReactiveSecurityContextHolder.withAuthentication(nobody));
    }

    /** Where a filter chain has let somebody unknown through it is the chain that has to ask, such as by a form. */
    @Override
    public Mono<Void> askWhoItIs(ServerWebExchange exchange) {
        return chain(exchange)
                .flatMap(chain -> Mono.error(new AccessDeniedException("The console is for those who have signed in")));
    }

    private Mono<SecurityWebFilterChain> chain(ServerWebExchange exchange) {
        return Flux.defer(() -> Flux.fromIterable(chains.get()))
                .filterWhen(chain -> chain.matches(exchange))
                .next();
    }

    @Override
    public Mono<Csrf> csrf(ServerWebExchange exchange) {
        Mono<CsrfToken> token = exchange.getAttributeOrDefault(CsrfToken.class.getName(), Mono.empty());
        return token.map(made -> new Csrf(made.getParameterName(), made.getToken()));
    }
}
