// SPDX-License-Identifier: Apache-2.0
package com.example.programs;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.annotation.ListenerRetry;
import io.delayqueue.handler.DelayedTask;
import org.springframework.stereotype.Component;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;

@Component
record Webhooks(RestClient http) {

    @DelayQueueListener(
            queue = "webhooks",
            timeout = "10s",
            retry = @ListenerRetry(delay = "30s", maxDelay = "6h", excludes = HttpClientErrorException.class))
    void call(DelayedTask<String> task) {
        http.post()
                .uri("https://partner.example/events")
                .header("Idempotency-Key", task.taskKey())
                .body(task.payload())
                .retrieve()
                .toBodilessEntity();
    }
}
