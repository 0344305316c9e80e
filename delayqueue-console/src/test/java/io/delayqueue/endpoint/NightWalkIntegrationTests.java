// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/** Types the commands of docs/operations.md from its beginning to its end, like an operator on call. */
@TestPropertySource(properties = "management.endpoint.delayqueue.access=unrestricted")
class NightWalkIntegrationTests extends EndpointScene {

    private static final Pattern CALL =
            Pattern.compile("curl (?:-X (?<method>[A-Z]+) )?(?<quote>\"?)\\$dq(?<path>[^\" ]*)\\k<quote>"
                    + "(?: -H \"\\$json\" -d '(?<body>[^']*)')?(?: +#.*)?");

    private static List<String> lines() throws IOException {
        return Files.readAllLines(Path.of("../docs/operations.md")).stream()
                .filter(line -> line.startsWith("curl "))
                .toList();
    }

    @Test
    void everyCallOfThePageIsAnswered() throws IOException {
        // An application with another number of shards may have used the queue before, and one change at a time is
        // allowed.
        await().atMost(Duration.ofMinutes(1))
                .until(() -> !admin.sharding("orders").isMigrating());
        makeDead("order-42", "order-43", "order-44");
        for (String id : List.of("order-50", "order-51", "order-52", "{customer-7}:order-60")) {
            schedule("orders", id, FAR);
        }
        List<String> lines = lines();
        assertThat(lines).hasSizeGreaterThan(20);
        String handle = "";
        for (String line : lines) {
            Matcher call = CALL.matcher(line);
            assertThat(call.matches()).as(line).isTrue();
            String body = call.group("body");
            String method = call.group("method") != null ? call.group("method") : body == null ? "GET" : "POST";
            Answer answer = call(method, call.group("path").replace("$handle", handle), body, "ada");
            assertThat(answer.status()).as(line + ": " + answer.body()).isBetween(200, 299);
            if (answer.json().has("operation")) {
                handle = answer.json().get("operation").get("handle").asString();
                ended(handle);
            }
        }
        assertThat(admin.stats("orders").delayed())
                .as("the last call empties the queue")
                .isZero();
    }
}
