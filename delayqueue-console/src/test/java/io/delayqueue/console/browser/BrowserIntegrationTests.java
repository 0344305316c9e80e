// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What other tests of pages rely on: that a fault of a page is seen. */
@ExtendWith(BrowserExtension.class)
class BrowserIntegrationTests {

    private final StringBuilder seen = new StringBuilder();
    private String page = "";
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            seen.append(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
            exchange.getResponseHeaders().set("Content-Security-Policy", "default-src 'self'");
            exchange.sendResponseHeaders(200, 0);
            try (exchange) {
                exchange.getResponseBody().write(page.getBytes(StandardCharsets.UTF_8));
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String address() {
        return "http://localhost:" + server.getAddress().getPort() + "/";
    }

    @Test
    void complaintsWhenThePolicyIsBrokenNameIt(Browser browser) {
        page = "<!doctype html><html lang=en><title>x</title><p id=p>one<script>document.title = 'two'</script>";

        browser.open(address()).as("ada", "secret").open(address());

        assertThat(browser.title()).isEqualTo("x");
        assertThat(browser.text()).isEqualTo("one");
        assertThat(browser.complaints()).anyMatch(complaint -> complaint.contains("Content Security Policy"));
        assertThat(seen.toString()).startsWith("null").contains("Basic YWRhOnNlY3JldA==");
    }

    @Test
    void faultsWhenAFieldHasNoLabelNameIt(Browser browser) {
        page = "<!doctype html><html lang=en><title>x</title><main><h1>x</h1><input type=text></main>";

        assertThat(Accessibility.faults(browser.open(address())))
                .singleElement()
                .asString()
                .contains("label");
    }
}
