// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.endpoint;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/** One reader sends many searches at once, each through thousands of tasks of which none matches. */
@TestPropertySource(properties = "management.endpoints.web.exposure.include=delayqueue,health")
class ManySearchesIntegrationTests extends EndpointScene {

    private static final int SEARCHES = 250;
    private static final int TASKS = 20_000;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void searchesBeyondThoseThatMayRunAreRefusedAndHealthAnswersMeanwhile() throws Exception {
        for (int first = 0; first < TASKS; first += 500) {
            tasks.scheduleAll(IntStream.range(first, first + 500)
                    .mapToObj(i -> requestTo("mails", "t-" + i, "p", FAR.plusSeconds(i)))
                    .toList());
        }
        HttpRequest search = HttpRequest.newBuilder(URI.create(base() + "/queues/mails/tasks?header=tenant%3Dnone"))
                .header(EndpointApplication.USER, "support")
                .build();
        HttpRequest health = HttpRequest.newBuilder(URI.create(base().replace("delayqueue", "health")))
                .timeout(Duration.ofSeconds(5))
                .build();
        assertThat(client.send(health, BodyHandlers.ofString()).statusCode())
                .as("warmed up")
                .isEqualTo(200);
        List<CompletableFuture<HttpResponse<String>>> searches = IntStream.range(0, SEARCHES)
                .mapToObj(i -> client.sendAsync(search, BodyHandlers.ofString()))
                .toList();
        CompletableFuture<?> all = CompletableFuture.allOf(searches.toArray(CompletableFuture[]::new));

        int probes = 0;
        do {
            assertThat(client.send(health, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
            probes++;
        } while (!all.isDone());

        assertThat(probes).isGreaterThan(1);
        assertThat(searches).extracting(each -> each.join().statusCode()).containsOnly(200, 429);
        assertThat(searches)
                .filteredOn(each -> each.join().statusCode() == 429)
                .hasSizeGreaterThan(SEARCHES / 2)
                .allSatisfy(each -> assertThat(each.join().body()).contains("searches at a time"));
        assertThat(get("/queues/mails/tasks?header=tenant%3Dnone").status())
                .as("once they have ended")
                .isEqualTo(200);
    }
}
