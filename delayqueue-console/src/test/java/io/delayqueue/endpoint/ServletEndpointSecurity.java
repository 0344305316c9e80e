// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.endpoint;

import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.SERVLET)
class ServletEndpointSecurity {

    @Bean
    SecurityFilterChain endpoint(HttpSecurity http) {
        return http.securityMatcher(EndpointRequest.to("delayqueue"))
                .authorizeHttpRequests(
                        requests -> requests.anyRequest().hasAnyRole(SecuredEndpointApplication.MAY_ENTER))
                .httpBasic(Customizer.withDefaults())
                .build();
    }

    @Bean
    SecurityFilterChain others(HttpSecurity http) {
        return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .build();
    }

    @Bean
    InMemoryUserDetailsManager userDetails() {
        return new InMemoryUserDetailsManager(SecuredEndpointApplication.users());
    }

    @Bean
    RouterFunction<ServerResponse> token() {
        return RouterFunctions.route()
                .GET(SecuredEndpointApplication.TOKEN, request -> {
                    CsrfToken token = (CsrfToken) request.servletRequest().getAttribute(CsrfToken.class.getName());
                    return ServerResponse.ok().body(Map.of("token", token.getToken()));
                })
                .build();
    }
}
