// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.console.ConsoleAnswer;
import io.delayqueue.internal.console.OpenStreams;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.result.view.ViewResolver;
import reactor.core.scheduler.Schedulers;

class SentAnswerTests {

    private static final ServerResponse.Context CONTEXT = new ServerResponse.Context() {

        @Override
        public List<HttpMessageWriter<?>> messageWriters() {
            return HandlerStrategies.withDefaults().messageWriters();
        }

        @Override
        public List<ViewResolver> viewResolvers() {
            return List.of();
        }
    };

    private final AtomicInteger read = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    private final Iterator<String> threePages = new Iterator<>() {

        @Override
        public boolean hasNext() {
            return read.get() < 3;
        }

        @Override
        public String next() {
            return "page " + read.incrementAndGet();
        }
    };

    private void send(boolean isHead) {
        new SentAnswer(
                        new ConsoleAnswer.Chunks(200, Map.of(), threePages, ended::incrementAndGet),
                        new OpenStreams(),
                        Schedulers.immediate())
                .response(isHead)
                .flatMap(response ->
                        response.writeTo(MockServerWebExchange.from(MockServerHttpRequest.get("/")), CONTEXT))
                .block();
    }

    @Test
    void fileWhenSentIsReadToItsEnd() {
        send(false);

        assertThat(read).hasValue(3);
        assertThat(ended).hasValue(1);
    }

    /** It may be of a million tasks. */
    @Test
    void fileWhenOnlyItsHeadIsAskedForIsNotRead() {
        send(true);

        assertThat(read).hasValue(0);
        assertThat(ended).hasValue(1);
    }
}
