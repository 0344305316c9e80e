// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.web;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.console.PlainPasswords;
import io.delayqueue.control.PayloadFormatter;
import io.delayqueue.control.QueueAccessResolver;
import io.delayqueue.control.QueuePermission;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;

/**
 * An application with the console behind Spring Security. Its users are called like what
 * they may do, and so are their passwords. Deliveries of the queue {@code
 * orders} fail for good, with what the payload says behind {@code reason:}.
 */
@Configuration
@EnableAutoConfiguration
@Import({PlainPasswords.class, StaffSecurity.class})
public class StaffApplication {

    /** Such a user may enter, and may do nothing. */
    public static final String NONE = "none";

    public static final String READ = "read";
    public static final String OPERATE = "operate";
    public static final String PAYLOAD = "payload";

    /** Such a user is known, and may not enter. */
    public static final String CUSTOMER = "customer";

    public static final String MAY_ENTER = "STAFF";

    static List<UserDetails> users() {
        return Stream.of(NONE, READ, OPERATE, PAYLOAD, CUSTOMER)
                .map(name -> User.withUsername(name)
                        .password("{noop}" + name)
                        .roles(name.equals(CUSTOMER) ? "CUSTOMER" : MAY_ENTER, name)
                        .build())
                .toList();
    }

    @Bean
    QueueAccessResolver access() {
        return (caller, queue) -> {
            if (caller.isInRole(OPERATE)) {
                return Set.of(QueuePermission.READ, QueuePermission.OPERATE);
            }
            if (caller.isInRole(PAYLOAD)) {
                return Set.of(QueuePermission.READ, QueuePermission.PAYLOAD);
            }
            return caller.isInRole(READ) ? Set.of(QueuePermission.READ) : Set.of();
        };
    }

    @Bean
    PayloadFormatter payloads() {
        return task -> new String(task.payload().bytes(), StandardCharsets.UTF_8);
    }

    /** Whether the payment service is broken, which it is until a test changes it. */
    @Bean
    AtomicBoolean broken() {
        return new AtomicBoolean(true);
    }

    @DelayQueueListener(queue = "orders")
    void close(String order) {
        if (broken().get()) {
            String reason = order.startsWith("reason:") ? order.substring("reason:".length()) : "503 of payments";
            throw new IllegalStateException(reason);
        }
    }
}
