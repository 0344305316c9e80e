// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A reverse proxy that serves an application under a prefix, and reports it in {@code X-Forwarded} headers. */
final class FrontProxy implements AutoCloseable {

    private static final Set<String> NOT_PASSED_ON =
            Set.of("connection", "content-length", "host", "transfer-encoding", "upgrade", "keep-alive");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private final String prefix;
    private final String target;

    /** @param target such as {@code http://localhost:8080} */
    FrontProxy(String prefix, String target) throws IOException {
        this.prefix = prefix;
        this.target = target;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext(prefix, this::pass);
        server.start();
    }

    String address() {
        return "http://localhost:" + server.getAddress().getPort() + prefix;
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpResponse<InputStream> answer = client.send(request(exchange), BodyHandlers.ofInputStream());
            answer.headers().map().forEach((name, values) -> {
                if (!NOT_PASSED_ON.contains(name.toLowerCase(Locale.ROOT))) {
                    exchange.getResponseHeaders()
                            .put(
                                    name,
                                    values.stream().map(this::withPrefixAsPath).toList());
                }
            });
            boolean hasBody =
                    answer.statusCode() != 304 && !exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(answer.statusCode(), hasBody ? 0 : -1);
            try (InputStream body = answer.body();
                    OutputStream to = exchange.getResponseBody()) {
                byte[] part = new byte[8192];
                for (int read = body.read(part); read >= 0; read = body.read(part)) {
                    to.write(part, 0, read);
                    to.flush();
                }
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    /** Of cookies, which a browser would not send back otherwise. */
    private String withPrefixAsPath(String header) {
        return header.replaceFirst("; Path=/[^;]*", "; Path=" + prefix);
    }

    private HttpRequest request(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().toString().substring(prefix.length());
        byte[] body = exchange.getRequestBody().readAllBytes();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target + path))
                .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!NOT_PASSED_ON.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return request.header("X-Forwarded-Prefix", prefix)
                .header("X-Forwarded-Proto", "http")
                .header("X-Forwarded-Host", "localhost")
                .header("X-Forwarded-Port", String.valueOf(server.getAddress().getPort()))
                .build();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
