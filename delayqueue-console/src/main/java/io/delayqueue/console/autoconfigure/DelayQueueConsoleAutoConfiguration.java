// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import io.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.delayqueue.control.QueueControl;
import io.delayqueue.internal.console.Console;
import io.delayqueue.internal.console.ConsoleGate;
import io.delayqueue.internal.console.OpenStreams;
import io.delayqueue.internal.console.TrustedHosts;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;

/** Auto-configuration of the console, in web applications that have delay queues. */
@AutoConfiguration(after = DelayQueueAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnBean(QueueControl.class)
@ConditionalOnBooleanProperty(
        name = {"delayqueue.enabled", "delayqueue.console.enabled"},
        matchIfMissing = true)
@EnableConfigurationProperties(DelayQueueConsoleProperties.class)
@ImportRuntimeHints(ConsoleHints.class)
@Import({MvcConsoleConfiguration.class, WebFluxConsoleConfiguration.class})
public final class DelayQueueConsoleAutoConfiguration {

    private static final int SHORTEST_SECRET = 16;

    @Bean
    Console delayQueueConsole(QueueControl control, DelayQueueConsoleProperties properties) {
        return new Console(control, secret(properties.csrfSecret()), InstantSource.system());
    }

    /** The value is not shown. */
    static @Nullable String secret(@Nullable String text) {
        if (text != null && text.strip().length() < SHORTEST_SECRET) {
            throw new InvalidConsoleSetupException(
                    "delayqueue.console.csrf-secret has " + text.strip().length()
                            + " characters, but has to have " + SHORTEST_SECRET
                            + " at least, such as those of `openssl rand -hex 32`. Leave it out for a random one in each process");
        }
        return text;
    }

    @Bean
    OpenStreams delayQueueConsoleStreams() {
        return new OpenStreams();
    }

    @Bean
    ConsoleGate delayQueueConsoleGate(DelayQueueConsoleProperties properties) {
        return new ConsoleGate(properties.exposed(), properties.roles(), new TrustedHosts(properties.hosts()));
    }
}
