// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.server.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The chart of a queue's deliveries beside those of yesterday and last week. */
class ConsolePastIntegrationTests extends ConsoleScene {

    private static final int DAY = 24;
    private static final int WEEK = 7 * DAY;

    private PastHours past;

    @BeforeEach
    void begin(RedisServer redis) {
        past = new PastHours(redis, "scene", "mails");
    }

    @AfterEach
    void end() {
        past.close();
    }

    @Test
    void chartOfAnHourHasYesterdayAndLastWeek() {
        past.minute(0, "delivered=7,failed=2,14=7");
        past.hours(DAY, "delivered=600,failed=60,26=600");
        past.hours(WEEK, "delivered=1200");

        String page = get("support", "/queues/mails").body();

        assertThat(page)
                .contains(
                        "7 delivered, 2 failed, yesterday 10, last week 20, p50 10 ms, p99 10 ms",
                        "<i class=\"i-day\"></i>delivered yesterday",
                        "<i class=\"i-week\"></i>delivered last week",
                        "<polyline class=\"l-day\"",
                        "<polyline class=\"l-week\"",
                        ">p99 yesterday 82 ms<",
                        "<th scope=\"col\" class=\"number\">Delivered yesterday</th>")
                .doesNotContain("p99 last week", "no data from yesterday", ">Now</a>");
        assertThat(get("support", "/queues/mails?zoom=6%20hours").body()).contains(", yesterday 60, last week 120");
        assertThat(get("support", "/queues/mails?zoom=day").body()).contains(", yesterday 300, last week 600");
    }

    @Test
    void chartWithoutYesterdaySaysSoAndLeadsBackToNow() {
        past.minute(0, "delivered=7");

        String page = get("support", "/queues/mails").body();
        assertThat(page).contains("<span>no data from yesterday</span>");

        String earlier = page.replaceAll("(?s).*href=\"/delayqueue([^\"]+)#future\">Earlier.*", "$1")
                .replace("&amp;", "&");
        assertThat(get("support", earlier).body())
                .contains("<a href=\"/delayqueue/queues/mails?zoom=hour#future\">Now</a>");
    }

    @Test
    void chartOfAWeekOrNinetyDaysIsMadeOfHours() {
        past.hours(0, "delivered=4,failed=1,dead=1,14=4");
        past.hours(DAY, "delivered=30");
        past.hours(WEEK, "delivered=50");

        String week = get("support", "/queues/mails?zoom=week").body();
        assertThat(week)
                .contains(", last week 100", "68 delivered, 2 failed (will retry), 2 dead before it")
                .doesNotContain("yesterday");
        String all = get("support", "/queues/mails?zoom=90%20days").body();
        assertThat(all)
                .contains("8 delivered, 4 failed", "168 delivered, 2 failed (will retry), 2 dead before it")
                .doesNotContain("last week");
        assertThat(get("support", "/queues/mails?zoom=90%20days&renewal=true").body())
                .contains("data-live=\"queue-figures\"")
                .doesNotContain("data-live=\"timeline\"");
        assertThat(get("support", "/queues/mails?zoom=day&renewal=true").body()).contains("data-live=\"timeline\"");
        assertThat(get("support", "/queues/mails?zoom=year").body()).doesNotContain("Lateness of first deliveries");
        assertThat(get("support", "/queues/mails?zoom=month").statusCode()).isEqualTo(400);
    }
}
