// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import io.delayqueue.internal.control.web.TrustedHosts;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Mono;

/**
 * Rejects unauthenticated requests to the endpoint under foreign host names, in WebFlux applications.
 *
 * @param path supplies the path of the endpoint
 */
public record ReactiveHostFilter(Supplier<String> path, TrustedHosts hosts) implements WebFilter {

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (!isOfEndpoint(exchange.getRequest()) || hosts.trust(asked(exchange.getRequest()))) {
            return chain.filter(exchange);
        }
        return exchange.getPrincipal()
                .filter(EndpointCalls::isKnown)
                .hasElement()
                .flatMap(isKnown -> isKnown
                        ? chain.filter(exchange)
                        : Mono.error(new ResponseStatusException(HttpStatus.FORBIDDEN, EndpointCall.FOREIGN_HOST)));
    }

    /** Matches paths in the same way as the endpoint's mapping, so that no spelling of the path bypasses the filter. */
    private boolean isOfEndpoint(ServerHttpRequest request) {
        return PathPatternParser.defaultInstance
                .parse(path.get() + "/{*rest}")
                .matches(request.getPath().pathWithinApplication());
    }

    private static List<String> asked(ServerHttpRequest request) {
        return Stream.of(
                        request.getHeaders().getFirst(HttpHeaders.HOST),
                        request.getURI().getHost())
                .filter(Objects::nonNull)
                .toList();
    }
}
