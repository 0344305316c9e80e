// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The permissions of the RabbitMQ user of this library, as regular expressions over the names of exchanges and queues;
 * what an application's own listeners and senders need comes on top. To publish takes the right to write to the
 * exchange; that the exchange is there is looked up without a right. Only declarations that the configuration asks for
 * take more.
 *
 * @param configure what may be declared
 * @param write exchanges that may be published to, and queues that may be bound
 * @param read exchanges that queues may be bound to, and queues that have a dead-letter exchange
 */
public record RabbitRights(String configure, String write, String read) {

    private static final String DEFAULT_EXCHANGE = "amq.default";
    private static final String DEAD_LETTER_EXCHANGE = "x-dead-letter-exchange";
    private static final Pattern PLAIN_WORD = Pattern.compile("\\w[\\w.-]*");
    private static final String SPECIAL = ".\\+*?[^]$(){}=!<>|:#";

    /**
     * The least that does.
     *
     * @param exchanges those published to: of the queues, and of what becomes of their dead tasks; empty for the
     *     default one
     * @param declarations what is declared
     */
    public static RabbitRights of(Collection<String> exchanges, List<RabbitDeclaration> declarations) {
        Set<String> configured = new TreeSet<>();
        Set<String> written = new TreeSet<>();
        Set<String> read = new TreeSet<>();
        exchanges.forEach(exchange -> written.add(exchange.isEmpty() ? DEFAULT_EXCHANGE : exchange));
        for (RabbitDeclaration declaration : declarations) {
            configured.add(declaration.exchange());
            String queue = declaration.queue();
            if (queue != null) {
                configured.add(queue);
                written.add(queue);
                read.add(declaration.exchange());
                Object deadLetters = declaration.queueArguments().get(DEAD_LETTER_EXCHANGE);
                if (deadLetters != null) {
                    read.add(queue);
                    String exchange = deadLetters.toString();
                    written.add(exchange.isEmpty() ? DEFAULT_EXCHANGE : exchange);
                }
            }
        }
        return new RabbitRights(pattern(configured), pattern(written), pattern(read));
    }

    private static String pattern(Set<String> names) {
        return switch (names.size()) {
            case 0 -> "^$";
            case 1 -> "^" + quoted(names.iterator().next()) + "$";
            default -> names.stream().map(RabbitRights::quoted).collect(Collectors.joining("|", "^(", ")$"));
        };
    }

    private static String quoted(String name) {
        StringBuilder quoted = new StringBuilder();
        name.chars().forEach(c -> {
            if (SPECIAL.indexOf(c) >= 0) {
                quoted.append('\\');
            }
            quoted.append((char) c);
        });
        return quoted.toString();
    }

    /** The command that gives a user these permissions on a virtual host, for a POSIX shell, whatever the names. */
    public String command(String virtualHost, String user) {
        return "rabbitmqctl set_permissions -p %s %s %s %s %s"
                .formatted(
                        inQuotes(virtualHost),
                        PLAIN_WORD.matcher(user).matches() ? user : inQuotes(user),
                        inQuotes(configure),
                        inQuotes(write),
                        inQuotes(read));
    }

    private static String inQuotes(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
