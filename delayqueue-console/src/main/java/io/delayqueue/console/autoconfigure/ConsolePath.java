// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import io.delayqueue.internal.input.PrintableText;
import java.util.regex.Pattern;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** The path of the console in the application. */
record ConsolePath(String text) {

    private static final Pattern ALLOWED = Pattern.compile("(/[A-Za-z0-9][A-Za-z0-9._-]*)+");

    /** @throws InvalidConsoleSetupException if it is not a valid path */
    static ConsolePath of(String text) {
        if (!ALLOWED.matcher(text).matches()) {
            throw new InvalidConsoleSetupException("delayqueue.console.path is '" + PrintableText.of(text, 80)
                    + "', but must be a path such as /delayqueue or /internal/queues, without a trailing slash");
        }
        return new ConsolePath(text);
    }

    /**
     * Checks that the actuator endpoint of the queues has another path, even with {@code base-path: /}.
     *
     * @throws InvalidConsoleSetupException if one path contains the other
     */
    void checkAgainstEndpoint(Environment environment) {
        if (hasPortOfItsOwn(environment)) {
            return;
        }
        String base = environment.getProperty("management.endpoints.web.base-path", "/actuator");
        String name = environment.getProperty("management.endpoints.web.path-mapping.delayqueue", "delayqueue");
        String endpoint = StringUtils.trimTrailingCharacter(base, '/') + "/" + name;
        if ((text + "/").startsWith(endpoint + "/") || (endpoint + "/").startsWith(text + "/")) {
            throw new InvalidConsoleSetupException(
                    "The console and the actuator endpoint 'delayqueue' have the same path, "
                            + PrintableText.of(endpoint, 80)
                            + ". Set delayqueue.console.path to another path, such as /internal/queues, or change"
                            + " management.endpoints.web.base-path");
        }
    }

    private static boolean hasPortOfItsOwn(Environment environment) {
        String management = environment.getProperty("management.server.port");
        return management != null
                && (management.equals("0") || !management.equals(environment.getProperty("server.port", "8080")));
    }

    String pattern() {
        return text + "/**";
    }
}
