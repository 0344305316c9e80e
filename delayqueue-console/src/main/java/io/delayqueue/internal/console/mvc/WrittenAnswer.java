// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.mvc;

import io.delayqueue.internal.console.ConsoleAnswer;
import io.delayqueue.internal.console.ConsoleAnswer.Chunks;
import io.delayqueue.internal.console.ConsoleAnswer.Events;
import io.delayqueue.internal.console.ConsoleAnswer.Whole;
import io.delayqueue.internal.console.OpenStreams;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.function.ServerResponse;

/** An answer of the console, as Spring MVC sends it. */
final class WrittenAnswer implements ServerResponse {

    private final ConsoleAnswer answer;
    private final OpenStreams streams;
    private final ApplicationSecurity security;

    WrittenAnswer(ConsoleAnswer answer, OpenStreams streams, ApplicationSecurity security) {
        this.answer = answer instanceof Events && streams.isFull() ? ConsoleAnswer.noRoom() : answer;
        this.streams = streams;
        this.security = security;
    }

    @Override
    public HttpStatusCode statusCode() {
        return HttpStatusCode.valueOf(answer.status());
    }

    @Override
    public HttpHeaders headers() {
        HttpHeaders headers = new HttpHeaders();
        answer.headers().forEach(headers::set);
        return headers;
    }

    @Override
    public MultiValueMap<String, Cookie> cookies() {
        return new LinkedMultiValueMap<>();
    }

    @Override
    public @Nullable ModelAndView writeTo(HttpServletRequest request, HttpServletResponse response, Context context)
            throws ServletException, IOException {
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        if (request.getMethod().equals("HEAD")) {
            if (answer instanceof Chunks chunks) {
                chunks.ended().run();
            }
            return null;
        }
        if (answer instanceof Whole whole) {
            response.setContentLength(whole.body().length);
            response.getOutputStream().write(whole.body());
        } else if (answer instanceof Chunks chunks) {
            try {
                OutputStream out = response.getOutputStream();
                while (chunks.chunks().hasNext()) {
                    out.write(chunks.chunks().next().getBytes(StandardCharsets.UTF_8));
                }
            } finally {
                chunks.ended().run();
            }
        } else if (answer instanceof Events events) {
            return new EventStream(events, security.asCaller(events.events()), streams)
                    .response()
                    .writeTo(request, response, context);
        }
        return null;
    }
}
