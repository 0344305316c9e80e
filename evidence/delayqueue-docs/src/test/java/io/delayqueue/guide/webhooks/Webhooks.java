// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.webhooks;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.NonRetryableTaskException;
import io.delayqueue.handler.RetryLaterException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.springframework.stereotype.Service;

@Service
class Webhooks {

    private final DelayQueueOperations delayQueue;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    Webhooks(DelayQueueOperations delayQueue) {
        this.delayQueue = delayQueue;
    }

    void send(String customer, String eventId, WebhookCall call, Duration delay) {
        delayQueue.schedule(ScheduleRequest.to("webhooks")
                .id(eventId)
                .header("customer", customer)
                .payload(call)
                .dueIn(delay)
                .build());
    }

    @DelayQueueListener(queue = "webhooks")
    void deliver(DelayedTask<WebhookCall> task) throws IOException, InterruptedException {
        WebhookCall call = task.payload();
        HttpRequest request = HttpRequest.newBuilder(URI.create(call.url()))
                .timeout(Duration.ofSeconds(10))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", task.taskKey())
                .POST(HttpRequest.BodyPublishers.ofString(call.body()))
                .build();
        HttpResponse<Void> response = http.send(request, HttpResponse.BodyHandlers.discarding());
        int status = response.statusCode();
        if (status == 410) {
            throw new NonRetryableTaskException("410: the customer wants no more of these");
        }
        if (status == 429 || status == 503) {
            Duration wait = wait(response);
            if (!wait.isZero() && task.lateness().compareTo(Duration.ofHours(12)) < 0) {
                throw RetryLaterException.uncounted(status + ": asked to wait", wait);
            }
        }
        if (status < 200 || status > 299) {
            throw new IOException("answered " + status);
        }
    }

    private static Duration wait(HttpResponse<?> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(value -> value.matches("\\d{1,5}"))
                .map(value -> Duration.ofSeconds(Long.parseLong(value)))
                .orElse(Duration.ZERO);
    }
}
