// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console;

import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.NoOpPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Users whose passwords are kept as they are. Without this Spring Security would hash each at its first use, and take
 * 0.1 s at each later one.
 */
@Configuration(proxyBeanMethods = false)
public class PlainPasswords {

    @Bean
    @SuppressWarnings("deprecation")
    PasswordEncoder passwords() {
        return new DelegatingPasswordEncoder("noop", Map.of("noop", NoOpPasswordEncoder.getInstance()));
    }
}
