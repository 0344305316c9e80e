// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.web;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

@Configuration(proxyBeanMethods = false)
class StaffSecurity {

    @Bean
    SecurityFilterChain console(HttpSecurity http) {
        return http.securityMatcher("/delayqueue/**", "/login", "/logout", "/default-ui.css")
                .authorizeHttpRequests(requests -> requests.requestMatchers("/login", "/logout", "/default-ui.css")
                        .permitAll()
                        .anyRequest()
                        .hasRole(StaffApplication.MAY_ENTER))
                .formLogin(Customizer.withDefaults())
                .httpBasic(Customizer.withDefaults())
                .build();
    }

    @Bean
    InMemoryUserDetailsManager userDetails() {
        return new InMemoryUserDetailsManager(StaffApplication.users());
    }
}
