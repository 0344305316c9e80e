// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.ScheduleRequest;
import java.net.http.HttpResponse;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class ConsolePagesIntegrationTests extends ConsoleScene {

    @Test
    void queuesWhenReadShowTheirNumbers() {
        schedule("mails", "m", FAR);
        admin.pause("orders");

        HttpResponse<String> page = get("support", "");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body())
                .contains(">orders</a>", "<span class=\"pill warn\">Paused</span>")
                .contains("<a href=\"/delayqueue/queues/mails/tasks?from=0s\">1</a></td>")
                .contains("<span class=\"sub\">next in ", "<span id=\"caller\">support</span>");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-store");
    }

    @Test
    void queuesWhenNoneMayBeReadSaysSo() {
        assertThat(get("customer", "").body()).contains("you may not see any").doesNotContain("orders");
    }

    @Test
    void taskWhenAnAttemptFailedShowsTheStackTraceToThoseWhoMaySeePayloads() {
        makeDead("d");

        assertThat(get("auditor", "/queues/orders/task?id=d").body())
                .contains(
                        "<details><summary>Stack trace of the last failure</summary>",
                        "java.lang.IllegalStateException: payment service says &lt;b&gt;503&lt;/b&gt;",
                        "at " + ConsoleApplication.class.getName() + ".close(");
        assertThat(get("operator", "/queues/orders/task?id=d").body())
                .contains("payment service says")
                .doesNotContain("Stack trace", "\tat ");
    }

    @Test
    void taskWhenItsRequestSaidMoreOfItsTimeShowsThatInWords() {
        tasks.schedule(ScheduleRequest.to("mails")
                .group("order:42")
                .id("reminder")
                .payload("p")
                .dueAt(LocalDateTime.of(2099, 3, 28, 9, 30), ZoneId.of("Europe/Berlin"))
                .within(DeliveryWindow.between(LocalTime.of(9, 0), LocalTime.of(21, 0))
                        .inZone(ZoneId.of("Europe/Berlin"))
                        .onDays(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY))
                .expiresAfter(Duration.ofMinutes(90))
                .build());
        schedule("mails", "plain", FAR);

        String page = get("support", "/queues/mails/task?id=" + encoded("{order:42}~reminder"))
                .body();

        assertThat(page)
                .contains(
                        "<a class=\"code\" href=\"/delayqueue/queues/mails/tasks?group=order%3A42\">order:42</a>",
                        "2099-03-28 09:30, Europe/Berlin",
                        "between 09:00 and 21:00, Europe/Berlin, on Saturday and Sunday",
                        "if more than 1 hour 30 minutes late");
        assertThat(get("support", "/queues/mails/task?id=plain").body())
                .doesNotContain("<dt>Group</dt>", "<dt>Local time</dt>", "<dt>Delivery hours</dt>", "<dt>Expires</dt>");
    }
}
