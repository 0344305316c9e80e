// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.relay;

import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/** Turns the settings of the relay into properties of the library. Names of exchanges may have capitals and dots. */
final class RelaySettings implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

    private static final String EXCHANGES = "RELAY_EXCHANGES";
    private static final String PASSWORD = "RELAY_PASSWORD";

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        ConfigurableEnvironment environment = event.getEnvironment();
        if (environment.getProperty(PASSWORD, "").isBlank()) {
            throw new InvalidConfigurationPropertyValueException(
                    PASSWORD, "", "It is the password of the user 'operator' for the console and the metrics. Set it.");
        }
        Map<String, Object> intakes = new HashMap<>();
        for (String entry : environment.getProperty(EXCHANGES, "").split(",")) {
            int separator = entry.lastIndexOf('=');
            String name = (separator < 0) ? "" : entry.substring(0, separator).trim();
            String type = entry.substring(separator + 1).trim();
            if (name.isEmpty() || type.isEmpty()) {
                throw new InvalidConfigurationPropertyValueException(
                        EXCHANGES,
                        environment.getProperty(EXCHANGES),
                        "List the exchanges of your producers with their types, as in 'shop=topic,mails=direct'.");
            }
            intakes.put("delayqueue.rabbit.intake[" + name + "].exchange-type", type);
        }
        environment.getPropertySources().addLast(new MapPropertySource("relay", intakes));
    }
}
