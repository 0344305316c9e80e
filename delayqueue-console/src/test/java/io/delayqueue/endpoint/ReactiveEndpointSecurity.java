// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.endpoint;

import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.security.autoconfigure.actuate.web.reactive.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.REACTIVE)
class ReactiveEndpointSecurity {

    @Bean
    SecurityWebFilterChain endpoint(ServerHttpSecurity http) {
        return http.securityMatcher(EndpointRequest.to("delayqueue"))
                .authorizeExchange(requests -> requests.anyExchange().hasAnyRole(SecuredEndpointApplication.MAY_ENTER))
                .httpBasic(Customizer.withDefaults())
                .build();
    }

    @Bean
    SecurityWebFilterChain others(ServerHttpSecurity http) {
        return http.authorizeExchange(requests -> requests.anyExchange().permitAll())
                .build();
    }

    @Bean
    MapReactiveUserDetailsService userDetails() {
        return new MapReactiveUserDetailsService(SecuredEndpointApplication.users());
    }

    @Bean
    RouterFunction<ServerResponse> token() {
        return RouterFunctions.route()
                .GET(SecuredEndpointApplication.TOKEN, request -> {
                    Mono<CsrfToken> token = request.exchange().getRequiredAttribute(CsrfToken.class.getName());
                    return token.flatMap(made -> ServerResponse.ok().bodyValue(Map.of("token", made.getToken())));
                })
                .build();
    }
}
