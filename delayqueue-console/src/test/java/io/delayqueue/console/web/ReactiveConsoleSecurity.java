// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.web;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;

@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.REACTIVE)
class ReactiveConsoleSecurity {

    @Bean
    SecurityWebFilterChain console(ServerHttpSecurity http) {
        return http.securityMatcher(ServerWebExchangeMatchers.pathMatchers("/delayqueue/**", "/login"))
                .authorizeExchange(requests -> requests.pathMatchers("/login")
                        .permitAll()
                        .anyExchange()
                        .hasRole(StaffApplication.MAY_ENTER))
                .formLogin(Customizer.withDefaults())
                .httpBasic(Customizer.withDefaults())
                .build();
    }

    @Bean
    MapReactiveUserDetailsService userDetails() {
        return new MapReactiveUserDetailsService(StaffApplication.users());
    }
}
