// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.mvc;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.console.Console;
import io.delayqueue.internal.console.ConsoleGate;
import io.delayqueue.internal.console.ConsoleGate.Decision;
import io.delayqueue.internal.console.OpenStreams;
import io.delayqueue.internal.console.RulePaths;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.console.request.ConsoleRequest.Csrf;
import io.delayqueue.internal.console.request.ConsoleRequest.Origin;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** Answers requests of Spring MVC by the console, where the gate lets them in. */
public final class ConsoleHandler implements HandlerFunction<ServerResponse> {

    private final String path;
    private final Console console;
    private final ConsoleGate gate;
    private final ApplicationSecurity security;
    private final OpenStreams streams;

    /** @param path of the console in the application, such as {@code /delayqueue} */
    public ConsoleHandler(
            String path, Console console, ConsoleGate gate, ApplicationSecurity security, OpenStreams streams) {
        this.path = path;
        this.console = console;
        this.gate = gate;
        this.security = security;
        this.streams = streams;
    }

    @Override
    public ServerResponse handle(ServerRequest request) {
        HttpServletRequest servletRequest = request.servletRequest();
        String before = beforeConsole(request);
        ConsoleRequest asked = asked(request, servletRequest, before);
        Decision decision = gate.decide(
                asked.caller(),
                hosts(servletRequest),
                () -> security.hasRuleFor(RulePaths.of(before, path, asked.path()), servletRequest));
        return switch (decision) {
            case LET_IN -> {
                Csrf csrf = asked.isForFile() ? null : security.csrf(servletRequest);
                yield new WrittenAnswer(console.answer(csrf == null ? asked : asked.with(csrf)), streams, security);
            }
            case UNKNOWN -> {
                security.askWhoItIs();
                yield ServerResponse.notFound().build();
            }
            default -> new WrittenAnswer(console.refuse(asked, decision), streams, security);
        };
    }

    /** What the path has between the context path and the console's: the servlet's own, where it has one. */
    private static String beforeConsole(ServerRequest request) {
        String whole = request.requestPath().value();
        int within = request.requestPath().pathWithinApplication().value().length();
        return whole.substring(request.requestPath().contextPath().value().length(), whole.length() - within);
    }

    /** What the browser has asked for, which a page cannot choose, and what proxies say of it. */
    private static List<String> hosts(HttpServletRequest request) {
        return Stream.of(request.getHeader(HttpHeaders.HOST), request.getServerName())
                .filter(Objects::nonNull)
                .toList();
    }

    private ConsoleRequest asked(ServerRequest request, HttpServletRequest servletRequest, String before) {
        String context = request.requestPath().contextPath().value();
        String within = request.requestPath().pathWithinApplication().value();
        Map<String, String> parameters = new HashMap<>();
        servletRequest.getParameterMap().forEach((name, values) -> parameters.put(name, values[0]));
        return new ConsoleRequest(
                servletRequest.getMethod(),
                within.substring(path.length()),
                parameters,
                caller(servletRequest),
                singleSlash(context) + before + path,
                null,
                origin(servletRequest),
                ConsoleRequest.wantsEvents(servletRequest.getHeader(HttpHeaders.ACCEPT)));
    }

    /** A proxy may have named a prefix that begins with two, which a browser would take for another host. */
    private static String singleSlash(String context) {
        String name = context.replaceFirst("^/+", "");
        return name.isEmpty() ? "" : "/" + name;
    }

    private Caller caller(HttpServletRequest request) {
        Principal principal = request.getUserPrincipal();
        return principal == null ? Caller.unknown("anonymous") : Caller.of(principal, security.roles(request));
    }

    /** To whom the browser has sent it, as far as proxies tell. */
    private static Origin origin(HttpServletRequest request) {
        int port = request.getServerPort();
        boolean isUsual = port == (request.isSecure() ? 443 : 80);
        return new Origin(
                request.getHeader("Sec-Fetch-Site"),
                request.getHeader(HttpHeaders.ORIGIN),
                request.getServerName() + (isUsual ? "" : ":" + port));
    }
}
