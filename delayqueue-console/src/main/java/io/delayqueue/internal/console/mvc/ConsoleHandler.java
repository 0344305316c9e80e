// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.mvc;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.console.Console;
import io.delayqueue.internal.console.ConsoleAnswer;
import io.delayqueue.internal.console.ConsoleAnswer.Chunks;
import io.delayqueue.internal.console.ConsoleAnswer.Whole;
import io.delayqueue.internal.console.ConsoleGate;
import io.delayqueue.internal.console.ConsoleGate.Decision;
import io.delayqueue.internal.console.page.Export;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.console.request.ConsoleRequest.Origin;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Connects the console to Spring MVC.
 *
 * @param path the path of the console in the application, such as {@code /delayqueue}
 * @param hiddenFields returns the fields that the application's own protection requires in each form
 */
public record ConsoleHandler(
        String path, Console console, ConsoleGate gate, Function<HttpServletRequest, Map<String, String>> hiddenFields)
        implements HandlerFunction<ServerResponse> {

    private static final int NOT_FOUND = 404;

    @Override
    public ServerResponse handle(ServerRequest request) {
        ConsoleRequest asked = asked(request);
        Decision decision = gate.decide(asked.caller(), hosts(request.servletRequest()));
        return switch (decision) {
            case LET_IN -> response(console.answer(asked));
            case UNKNOWN -> signIn();
            default -> response(console.refuse(asked, decision));
        };
    }

    /**
     * Lets the application ask the caller to sign in, for example with a form. Answers 404 if the application cannot.
     */
    private static ServerResponse signIn() {
        return ServerResponse.status(NOT_FOUND).build((request, response) -> {
            request.authenticate(response);
            return null;
        });
    }

    private static ServerResponse response(ConsoleAnswer answer) {
        return ServerResponse.status(answer.status())
                .headers(headers -> answer.headers().forEach(headers::set))
                .build((request, response) -> {
                    write(answer, request.getMethod().equals("HEAD"), response);
                    return null;
                });
    }

    private static void write(ConsoleAnswer answer, boolean headersOnly, HttpServletResponse response)
            throws IOException {
        if (answer instanceof Whole whole) {
            response.setContentLength(whole.body().length);
            if (!headersOnly) {
                response.getOutputStream().write(whole.body());
            }
        } else if (answer instanceof Chunks chunks) {
            try (Export.Pieces pieces = chunks.chunks()) {
                OutputStream out = response.getOutputStream();
                while (!headersOnly && pieces.hasNext()) {
                    out.write(pieces.next().getBytes(StandardCharsets.UTF_8));
                }
            }
        }
    }

    private ConsoleRequest asked(ServerRequest request) {
        HttpServletRequest servletRequest = request.servletRequest();
        String whole = request.requestPath().value();
        String context = request.requestPath().contextPath().value();
        String within = request.requestPath().pathWithinApplication().value();
        // If there is a servlet path, it is between the two.
        String servletPath = whole.substring(context.length(), whole.length() - within.length());
        Map<String, String> parameters = new HashMap<>();
        servletRequest.getParameterMap().forEach((name, values) -> parameters.put(name, values[0]));
        return new ConsoleRequest(
                servletRequest.getMethod(),
                within.substring(path.length()),
                parameters,
                caller(servletRequest),
                singleSlash(context) + servletPath + path,
                () -> hiddenFields.apply(servletRequest),
                origin(servletRequest),
                Instant.now().truncatedTo(ChronoUnit.MILLIS));
    }

    /**
     * Removes extra leading slashes. A browser would interpret two leading slashes, which a proxy may send in a prefix,
     * as the start of a host name.
     */
    private static String singleSlash(String context) {
        String name = context.replaceFirst("^/+", "");
        return name.isEmpty() ? "" : "/" + name;
    }

    private static Caller caller(HttpServletRequest request) {
        Principal principal = request.getUserPrincipal();
        return principal == null ? Caller.unknown("anonymous") : Caller.of(principal, request::isUserInRole);
    }

    /** Returns the host that the browser requested, which a page cannot forge, and the host reported by proxies. */
    private static List<String> hosts(HttpServletRequest request) {
        return Stream.of(request.getHeader(HttpHeaders.HOST), request.getServerName())
                .filter(Objects::nonNull)
                .toList();
    }

    private static Origin origin(HttpServletRequest request) {
        int port = request.getServerPort();
        boolean isUsual = port == (request.isSecure() ? 443 : 80);
        return new Origin(
                request.getHeader("Sec-Fetch-Site"),
                request.getHeader(HttpHeaders.ORIGIN),
                request.getServerName() + (isUsual ? "" : ":" + port));
    }
}
