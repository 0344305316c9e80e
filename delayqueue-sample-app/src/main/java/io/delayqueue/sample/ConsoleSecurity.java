// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import static org.springframework.security.config.Customizer.withDefaults;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Who may see the console: staff that has signed in. Its user is in the yml; the shop's own addresses are open, for it is a
 * sample.
 */
@Configuration(proxyBeanMethods = false)
class ConsoleSecurity {

    @Bean
    SecurityFilterChain consoleChain(HttpSecurity http) {
        return http.securityMatcher("/delayqueue/**", "/login", "/logout", "/default-ui.css")
                .authorizeHttpRequests(requests -> requests.anyRequest().hasRole("OPERATOR"))
                .formLogin(form -> form.defaultSuccessUrl("/delayqueue/"))
                .logout(withDefaults())
                .build();
    }
}
