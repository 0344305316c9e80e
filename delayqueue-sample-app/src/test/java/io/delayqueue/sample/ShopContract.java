// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.jdbc.ReceivedTask;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The shop over HTTP, whatever closes the orders. */
abstract class ShopContract {

    private final HttpClient client = HttpClient.newHttpClient();
    private final JsonMapper json = new JsonMapper();

    @LocalServerPort
    private int port;

    @Autowired
    private ShopCounters counters;

    @Autowired
    private OrderService service;

    @Autowired
    private OrderBook book;

    @Autowired
    private OrderCloser closer;

    @Autowired
    private DelayQueueOperations delayQueue;

    @Autowired
    private TransactionTemplate transaction;

    @Test
    void orderWhenNobodyPaysIsClosedAfterThePaymentWindow() throws Exception {
        JsonNode order = placed("{\"item\": \"a kettle\"}");
        Instant due = Instant.parse(order.get("payBefore").asString());
        assertThat(order.get("item").asString()).isEqualTo("a kettle");
        assertThat(status(order)).isEqualTo("OPEN");
        await().atMost(Duration.ofSeconds(15)).until(() -> status(order).equals("CLOSED"));
        assertThat(Instant.now()).isAfterOrEqualTo(due);
    }

    @Test
    void orderWhenPaidStaysPaid() throws Exception {
        JsonNode order = placed("");
        JsonNode paid = json.readTree(post("/orders/" + id(order) + "/pay").body());
        assertThat(paid.get("status").asString()).isEqualTo("PAID");
        assertThat(status(order)).isEqualTo("PAID");
        await().atMost(Duration.ofSeconds(15))
                .until(() -> delayQueue.find(OrderService.QUEUE, id(order)).isEmpty());
        long closed = counters.closedSoFar();
        await().during(Duration.ofSeconds(3))
                .atMost(Duration.ofSeconds(5))
                .until(() -> status(order).equals("PAID"));
        assertThat(counters.closedSoFar()).as("the time-out never came").isEqualTo(closed);
        assertThat(post("/orders/" + id(order) + "/pay").statusCode())
                .as("paid twice")
                .isEqualTo(200);
    }

    @Test
    void orderWhenExtendedIsClosedLater() throws Exception {
        JsonNode order = placed("");
        Instant extendedAt = Instant.now();
        JsonNode extended =
                json.readTree(post("/orders/" + id(order) + "/extend?by=PT3S").body());
        assertThat(Instant.parse(extended.get("payBefore").asString())).isAfterOrEqualTo(extendedAt.plusMillis(2999));
        await().atMost(Duration.ofSeconds(20)).until(() -> status(order).equals("CLOSED"));
        assertThat(Instant.now()).isAfterOrEqualTo(extendedAt.plusSeconds(3));
        assertThat(post("/orders/" + id(order) + "/pay").statusCode()).isEqualTo(409);
        assertThat(post("/orders/" + id(order) + "/extend?by=PT5S").statusCode())
                .isEqualTo(409);
    }

    @Test
    void orderWhenItsTransactionFailsAfterSchedulingHasNoTimer() {
        AtomicReference<Order> lost = new AtomicReference<>();
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    lost.set(service.place("a lamp"));
                    throw new IllegalStateException("the card was refused");
                }))
                .hasMessage("the card was refused");
        Order order = service.place("a kettle");
        await().atMost(Duration.ofSeconds(15))
                .until(() -> delayQueue.find(OrderService.QUEUE, order.id()).isPresent());
        assertThat(delayQueue.find(OrderService.QUEUE, lost.get().id()))
                .as("though a later one is there")
                .isEmpty();
        assertThat(book.find(lost.get().id())).isEmpty();
        await().atMost(Duration.ofSeconds(15))
                .until(() -> book.find(order.id()).orElseThrow().status() == Order.Status.CLOSED);
        assertThat(delayQueue.find(OrderService.QUEUE, lost.get().id())).isEmpty();
    }

    @Test
    void timeoutWhenDeliveredTwiceAtTheSameTimeClosesOnce() {
        Order order = service.place("a kettle");
        ReceivedTask task = new ReceivedTask(OrderService.QUEUE, "%022d".formatted(order.hashCode() & 0xffffL));
        long closed = counters.closedSoFar();
        long duplicates = counters.duplicatesSoFar();
        List<CompletableFuture<Void>> deliveries = Stream.of(1L, 2L)
                .map(token -> CompletableFuture.runAsync(() ->
                        closer.timeIsUp(new OrderTimeout(order.id()), task, order.payBefore(), token, Duration.ZERO)))
                .toList();
        deliveries.forEach(CompletableFuture::join);
        assertThat(counters.closedSoFar()).isEqualTo(closed + 1);
        assertThat(counters.duplicatesSoFar()).isEqualTo(duplicates + 1);
        assertThat(book.find(order.id()).orElseThrow().status()).isEqualTo(Order.Status.CLOSED);
    }

    @Test
    void requestsWhenBadAreRefused() throws Exception {
        assertThat(post("/orders/none/pay").statusCode()).isEqualTo(404);
        assertThat(post("/orders/none/pay").body()).contains("there is no such order");
        JsonNode order = placed("");
        assertThat(post("/orders/" + id(order) + "/extend?by=-PT1S").statusCode())
                .isEqualTo(400);
        assertThat(post("/orders/" + id(order) + "/extend?by=tomorrow").statusCode())
                .isEqualTo(400);
    }

    private JsonNode placed(String body) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(
                request("/orders")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(201);
        return json.readTree(response.body());
    }

    private HttpResponse<String> post(String path) throws IOException, InterruptedException {
        return client.send(
                request(path).POST(HttpRequest.BodyPublishers.noBody()).build(), BodyHandlers.ofString());
    }

    private String status(JsonNode order) throws IOException, InterruptedException {
        JsonNode orders = json.readTree(
                client.send(request("/orders").build(), BodyHandlers.ofString()).body());
        for (JsonNode candidate : orders) {
            if (id(candidate).equals(id(order))) {
                return candidate.get("status").asString();
            }
        }
        throw new AssertionError("the order is not there");
    }

    private static String id(JsonNode order) {
        return order.get("id").asString();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(10));
    }
}
