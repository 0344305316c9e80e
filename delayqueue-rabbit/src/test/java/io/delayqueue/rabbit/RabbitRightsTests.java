// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RabbitRightsTests {

    @Test
    void ofExchangesAloneAllowsToPublishToThemOnly() {
        assertThat(RabbitRights.of(Set.of("shop"), List.of())).isEqualTo(new RabbitRights("^$", "^shop$", "^$"));
        assertThat(RabbitRights.of(Set.of("", "shop.eu"), List.of()).write()).isEqualTo("^(amq\\.default|shop\\.eu)$");
    }

    @Test
    void ofDeclarationsAllowsToMakeThemToo() {
        assertThat(RabbitRights.of(Set.of("shop"), List.of(declaration(Map.of()))))
                .isEqualTo(new RabbitRights("^(orders\\.close|shop)$", "^(orders\\.close|shop)$", "^shop$"));
    }

    @Test
    void ofAQueueWithDeadLettersAllowsWhatTheBrokerAsksForThat() {
        assertThat(RabbitRights.of(Set.of(), List.of(declaration(Map.of("x-dead-letter-exchange", "graveyard")))))
                .isEqualTo(new RabbitRights(
                        "^(orders\\.close|shop)$", "^(graveyard|orders\\.close)$", "^(orders\\.close|shop)$"));
    }

    @Test
    void commandWhenNamesHaveQuotesAndBlanksGivesTheShellOneWordForEach() throws Exception {
        RabbitRights rights = RabbitRights.of(Set.of("o'x; $(id)", "`id`"), List.of());
        String command = rights.command("it's", "the 'user' \\");
        Process shell = new ProcessBuilder("sh", "-c", "rabbitmqctl() { printf '%s\\n' \"$@\"; }; " + command)
                .redirectErrorStream(true)
                .start();

        assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "set_permissions",
                        "-p",
                        "it's",
                        "the 'user' \\",
                        rights.configure(),
                        rights.write(),
                        rights.read());
    }

    @Test
    void documentationShowsTheRights() throws IOException {
        String docs = Files.readString(Path.of("../docs/security.md"));
        assertThat(docs)
                .contains(RabbitRights.of(Set.of("shop"), List.of()).command("/", "delayqueue"))
                .contains(RabbitRights.of(Set.of("shop"), List.of(declaration(Map.of())))
                        .command("/", "delayqueue"));
    }

    private static RabbitDeclaration declaration(Map<String, Object> arguments) {
        return new RabbitDeclaration("shop", "direct", "orders.close", "order.timeout", false, arguments);
    }
}
