// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.request;

import com.example.shop.ShopApplication;
import io.delayqueue.guide.GuideBook.Block;
import io.delayqueue.test.junit.DelayQueueServers;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

/** Types the commands of the tutorial, from its beginning to its end. */
@GuidePages("tutorial.md")
@SpringBootTest(classes = ShopApplication.class)
@DelayQueueServers
class CurlCallsIntegrationTests {

    /** The pages whose calls are made here. */
    static final List<String> PAGES = List.of("tutorial.md");

    private static final Pattern CALL =
            Pattern.compile("(?:(?<variable>\\w+)=\\$\\()?curl (?:-s )?(?:-X (?<method>[A-Z]+) )?"
                    + "(?<quote>\"?)localhost:8080(?<path>[^\" )]*)\\k<quote>"
                    + "(?: -H 'Content-Type: application/json' -d \"(?<body>(?:[^\"\\\\]|\\\\\")*)\")?\\)?");

    private final Map<String, String> variables = new HashMap<>();

    @Autowired
    private WebApplicationContext context;

    @Test
    void callsOfTheTutorialAreAnsweredAsItSays() throws Exception {
        MockMvc mvc = MockMvcBuilders.webAppContextSetup(context).build();
        List<String> lines = GuideBook.blocks("tutorial.md", "shell").stream()
                .map(Block::text)
                .flatMap(String::lines)
                .filter(line -> line.contains("curl "))
                .toList();
        assertThat(lines).hasSizeGreaterThan(3);
        String last = "";
        for (String line : lines) {
            last = called(mvc, line);
        }
        assertThat(last)
                .as("the tutorial ends with an order that was delivered now")
                .contains("CLOSED");
        assertThat(mvc.perform(request(HttpMethod.GET, URI.create("/delayqueue")))
                        .andReturn()
                        .getResponse()
                        .getStatus())
                .as("the console")
                .isIn(200, 302);
    }

    private String called(MockMvc mvc, String line) throws Exception {
        Matcher call = CALL.matcher(line);
        assertThat(call.matches()).as(line).isTrue();
        String body = call.group("body");
        HttpMethod method = call.group("method") != null
                ? HttpMethod.valueOf(call.group("method"))
                : body == null ? HttpMethod.GET : HttpMethod.POST;
        MockHttpServletRequestBuilder request = request(method, URI.create(filledIn(call.group("path"))));
        if (body != null) {
            request.contentType("application/json").content(filledIn(body).replace("\\\"", "\""));
        }
        MockHttpServletResponse response = mvc.perform(request).andReturn().getResponse();
        assertThat(response.getStatus())
                .as("%s: %s", line, response.getContentAsString())
                .isBetween(200, 299);
        if (call.group("variable") != null) {
            variables.put(call.group("variable"), response.getContentAsString());
        }
        if (line.contains("/deliver")) {
            String task = filledIn("/orders/$id");
            await().until(() -> mvc.perform(request(HttpMethod.GET, URI.create(task)))
                    .andReturn()
                    .getResponse()
                    .getContentAsString()
                    .contains("CLOSED"));
        }
        return response.getContentAsString();
    }

    private String filledIn(String text) {
        String filled = text;
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            filled = filled.replace("$" + variable.getKey(), variable.getValue());
        }
        return filled;
    }
}
