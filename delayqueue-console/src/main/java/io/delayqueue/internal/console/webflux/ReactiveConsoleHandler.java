// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.webflux;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.console.Console;
import io.delayqueue.internal.console.ConsoleAnswer;
import io.delayqueue.internal.console.ConsoleGate;
import io.delayqueue.internal.console.ConsoleGate.Decision;
import io.delayqueue.internal.console.OpenStreams;
import io.delayqueue.internal.console.RulePaths;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.console.request.ConsoleRequest.Origin;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Answers requests of WebFlux by the console, where the gate lets them in. What blocks is called on the scheduler's
 * threads, none of which may be an event loop's.
 */
public final class ReactiveConsoleHandler implements HandlerFunction<ServerResponse> {

    private final String path;
    private final Console console;
    private final ConsoleGate gate;
    private final ReactiveSecurity security;
    private final OpenStreams streams;
    private final Scheduler blocking;

    /** @param path of the console in the application, such as {@code /delayqueue} */
    public ReactiveConsoleHandler(
            String path,
            Console console,
            ConsoleGate gate,
            ReactiveSecurity security,
            OpenStreams streams,
            Scheduler blocking) {
        this.path = path;
        this.console = console;
        this.gate = gate;
        this.security = security;
        this.streams = streams;
        this.blocking = blocking;
    }

    @Override
    public Mono<ServerResponse> handle(ServerRequest request) {
        return security.caller(request.exchange())
                .defaultIfEmpty(Caller.unknown("anonymous"))
                .flatMap(caller -> decision(request, caller).flatMap(decision -> switch (decision) {
                    case LET_IN ->
                        asked(request, caller)
                                .flatMap(asked -> asked.isForFile()
                                        ? Mono.just(asked)
                                        : security.csrf(request.exchange())
                                                .map(asked::with)
                                                .defaultIfEmpty(asked))
                                .flatMap(asked -> answer(asked, () -> console.answer(asked)));
                    case UNKNOWN ->
                        security.askWhoItIs(request.exchange())
                                .then(ServerResponse.notFound().build());
                    case FOREIGN_HOST, WITHOUT_ROLE, WITHOUT_RULE ->
                        asked(request, caller).flatMap(asked -> answer(asked, () -> console.refuse(asked, decision)));
                }));
    }

    /** The rule is asked for where the decision depends on it, which the gate tells by asking. */
    private Mono<Decision> decision(ServerRequest request, Caller caller) {
        List<String> hosts = hosts(request);
        Decision withoutRule = gate.decide(caller, hosts, () -> false);
        return withoutRule == Decision.WITHOUT_RULE
                ? security.hasRuleFor(RulePaths.of("", path, behindConsole(request)), request.exchange())
                        .map(hasRule -> gate.decide(caller, hosts, () -> hasRule))
                : Mono.just(withoutRule);
    }

    private String behindConsole(ServerRequest request) {
        return request.requestPath().pathWithinApplication().value().substring(path.length());
    }

    /** What the browser has asked for, which a page cannot choose, and what proxies say of it. */
    private static List<String> hosts(ServerRequest request) {
        return Stream.of(
                        request.headers().asHttpHeaders().getFirst(HttpHeaders.HOST),
                        request.uri().getHost())
                .filter(Objects::nonNull)
                .toList();
    }

    private Mono<ServerResponse> answer(ConsoleRequest asked, Callable<ConsoleAnswer> call) {
        return Mono.fromCallable(call)
                .subscribeOn(blocking)
                .flatMap(answer -> new SentAnswer(answer, streams, blocking).response(asked.isHead()));
    }

    private Mono<ConsoleRequest> asked(ServerRequest request, Caller caller) {
        return parameters(request)
                .map(parameters -> new ConsoleRequest(
                        request.method().name(),
                        behindConsole(request),
                        parameters,
                        caller,
                        singleSlash(request.requestPath().contextPath().value()) + path,
                        null,
                        origin(request),
                        ConsoleRequest.wantsEvents(
                                request.headers().asHttpHeaders().getFirst(HttpHeaders.ACCEPT))));
    }

    private static Mono<Map<String, String>> parameters(ServerRequest request) {
        Map<String, String> parameters = new HashMap<>();
        addFirst(request.queryParams(), parameters);
        if (!request.method().equals(HttpMethod.POST)) {
            return Mono.just(parameters);
        }
        return request.exchange().getFormData().map(form -> {
            addFirst(form, parameters);
            return parameters;
        });
    }

    /** As a servlet's: what the query says comes before what the form says. */
    private static void addFirst(MultiValueMap<String, String> from, Map<String, String> to) {
        from.forEach((name, values) -> to.putIfAbsent(name, values.get(0) == null ? "" : values.get(0)));
    }

    /** A proxy may have named a prefix that begins with two, which a browser would take for another host. */
    private static String singleSlash(String context) {
        String name = context.replaceFirst("^/+", "");
        return name.isEmpty() ? "" : "/" + name;
    }

    /** To whom the browser has sent it, as far as proxies tell. */
    private static Origin origin(ServerRequest request) {
        HttpHeaders headers = request.headers().asHttpHeaders();
        URI uri = request.uri();
        boolean isUsual = uri.getPort() < 0 || uri.getPort() == ("https".equals(uri.getScheme()) ? 443 : 80);
        return new Origin(
                headers.getFirst("Sec-Fetch-Site"),
                headers.getFirst(HttpHeaders.ORIGIN),
                uri.getHost() + (isUsual ? "" : ":" + uri.getPort()));
    }
}
