// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.sample.Order.Status;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

class OrderBookTests {

    private static final Instant MOMENT = Instant.parse("2026-01-01T00:00:00.123Z");

    private final JdbcTemplate jdbc =
            new JdbcTemplate(new DriverManagerDataSource("jdbc:h2:mem:book;DB_CLOSE_DELAY=-1"));
    private final OrderBook book = new OrderBook(jdbc);

    @BeforeEach
    void startEmpty() {
        DatabasePopulatorUtils.execute(
                new ResourceDatabasePopulator(new ClassPathResource("schema.sql")), jdbc.getDataSource());
        jdbc.update("DELETE FROM orders");
    }

    @Test
    void payWhenTheOrderHasEndedLeavesIt() {
        book.add(new Order("a", "a lamp", Status.OPEN, MOMENT));
        assertThat(book.find("a")).contains(new Order("a", "a lamp", Status.OPEN, MOMENT));
        assertThat(book.pay("a")).isTrue();
        assertThat(book.pay("a")).isFalse();
        assertThat(book.extend("a", MOMENT.plusSeconds(1))).isFalse();
        assertThat(book.close("a", MOMENT, 1)).isFalse();
        assertThat(book.find("a")).contains(new Order("a", "a lamp", Status.PAID, MOMENT));
        assertThat(book.pay("none")).isFalse();
    }

    @Test
    void closeWhenTheOrderWasExtendedLeavesIt() {
        book.add(new Order("a", "a lamp", Status.OPEN, MOMENT));
        assertThat(book.extend("a", MOMENT.plusSeconds(1))).isTrue();
        assertThat(book.close("a", MOMENT, 1)).isFalse();
        assertThat(book.countOpen()).isEqualTo(1);
        assertThat(book.close("a", MOMENT.plusSeconds(1), 1)).isTrue();
        assertThat(book.countOpen()).isZero();
    }

    @Test
    void lastWhenThereAreMoreThanAThousandGivesTheLastOfThem() {
        for (int i = 0; i <= 1000; i++) {
            book.add(new Order("o" + i, "a lamp", Status.OPEN, MOMENT.plusSeconds(i)));
        }
        assertThat(book.last()).hasSize(1000).first().extracting(Order::id).isEqualTo("o1");
        assertThat(book.open(2)).extracting(Order::id).containsExactly("o0", "o1");
        book.pay("o0");
        book.forgetEnded(MOMENT.plusSeconds(5));
        assertThat(book.find("o0")).isEmpty();
        assertThat(book.find("o1")).isPresent();
    }
}
