// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.webflux;

import io.delayqueue.internal.console.ConsoleAnswer;
import io.delayqueue.internal.console.ConsoleAnswer.Chunks;
import io.delayqueue.internal.console.ConsoleAnswer.Events;
import io.delayqueue.internal.console.ConsoleAnswer.Whole;
import io.delayqueue.internal.console.OpenStreams;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.function.server.ServerResponse.BodyBuilder;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * An answer of the console, as WebFlux sends it. Its steps are made on the scheduler's threads, no sooner than they are
 * sent.
 */
final class SentAnswer {

    private final ConsoleAnswer answer;
    private final OpenStreams streams;
    private final Scheduler blocking;

    SentAnswer(ConsoleAnswer answer, OpenStreams streams, Scheduler blocking) {
        this.answer = answer instanceof Events && streams.isFull() ? ConsoleAnswer.noRoom() : answer;
        this.streams = streams;
        this.blocking = blocking;
    }

    /** @param isHead whether nothing but the headers is asked for; then no step is made */
    Mono<ServerResponse> response(boolean isHead) {
        BodyBuilder response = ServerResponse.status(answer.status())
                .headers(headers -> answer.headers().forEach(headers::set));
        if (answer instanceof Whole whole) {
            return whole.body().length == 0
                    ? response.build()
                    : response.contentLength(whole.body().length).bodyValue(whole.body());
        }
        if (answer instanceof Chunks chunks) {
            if (isHead) {
                chunks.ended().run();
                return response.build();
            }
            Flux<DataBuffer> body = Flux.fromIterable(() -> chunks.chunks())
                    .map(SentAnswer::buffer)
                    .subscribeOn(blocking)
                    .doFinally(signal -> chunks.ended().run());
            return response.body(BodyInserters.fromDataBuffers(body));
        }
        return response.body(BodyInserters.fromServerSentEvents(untilStopped(events((Events) answer))));
    }

    private static DataBuffer buffer(String chunk) {
        return DefaultDataBufferFactory.sharedInstance.wrap(chunk.getBytes(StandardCharsets.UTF_8));
    }

    private <T> Flux<T> untilStopped(Flux<T> events) {
        return Flux.defer(() -> {
            Sinks.Empty<T> stopped = Sinks.empty();
            Runnable ended = streams.add(stopped::tryEmitEmpty);
            return events.takeUntilOther(stopped.asMono()).doFinally(signal -> ended.run());
        });
    }

    private Flux<ServerSentEvent<String>> events(Events events) {
        return Mono.fromCallable(() -> sent(events.events().next()))
                .subscribeOn(blocking)
                .repeatWhen(made -> made.delayElements(events.every()))
                .flatMapIterable(changed -> changed)
                .take(events.longest());
    }

    private static List<ServerSentEvent<String>> sent(Map<String, String> changed) {
        return changed.entrySet().stream()
                .map(event -> ServerSentEvent.builder(event.getValue())
                        .event(event.getKey())
                        .build())
                .toList();
    }
}
