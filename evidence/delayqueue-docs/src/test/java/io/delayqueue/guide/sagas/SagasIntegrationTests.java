// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.sagas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.TaskIds;
import io.delayqueue.guide.GuideTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

@GuideTest
class SagasIntegrationTests {

    @Autowired
    private TripSaga saga;

    @Autowired
    private TripDesk desk;

    @Autowired
    private DelayQueueOperations delayQueue;

    @Autowired
    private JdbcTemplate jdbc;

    @Autowired
    private TransactionTemplate transaction;

    @BeforeEach
    void makeTable() {
        jdbc.execute("CREATE TABLE IF NOT EXISTS trips (id VARCHAR(40) PRIMARY KEY, step VARCHAR(10))");
    }

    @Test
    void tripWhenAStepTakesTooLongIsUndone() {
        saga.begin("slow");
        awaitTimer("slow", "hotel");
        delayQueue.reschedule("sagas", id("slow", "hotel"), Due.now());
        await().until(() -> step("slow").equals("undone"));
        assertThat(saga.hotelConfirmed("slow")).as("too late").isFalse();
    }

    @Test
    void tripWhenAllIsConfirmedHasNoTimersLeft() {
        saga.begin("quick");
        assertThat(saga.hotelConfirmed("quick")).isTrue();
        awaitTimer("quick", "flight");
        await().until(() -> delayQueue.find("sagas", id("quick", "hotel")).isEmpty());
        assertThat(saga.flightConfirmed("quick")).isTrue();
        await().until(() -> delayQueue.group("sagas", "trip:quick").count() == 0);
        assertThat(step("quick")).isEqualTo("booked");
    }

    @Test
    void tripWhenItsTransactionFailsHasNoTimers() {
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    saga.begin("refused");
                    throw new IllegalStateException("no seats");
                }))
                .hasMessage("no seats");
        saga.begin("next");
        awaitTimer("next", "hotel");
        assertThat(delayQueue.group("sagas", "trip:refused").count()).isZero();
    }

    @Test
    void timersWhenOfOneTripAreMovedAndStoppedTogether() {
        saga.begin("steered");
        awaitTimer("steered", "hotel");
        awaitTimer("steered", "whole");
        assertThat(desk.giveMoreTime("steered").changed()).isEqualTo(2);
        assertThat(desk.stopAllTimers("steered").changed()).isEqualTo(2);
        assertThat(delayQueue.find("sagas", id("steered", "whole"))).isEmpty();
    }

    private void awaitTimer(String trip, String step) {
        await().until(() -> delayQueue.find("sagas", id(trip, step)).isPresent());
    }

    private static String id(String trip, String step) {
        return TaskIds.inGroup("trip:" + trip, step);
    }

    private String step(String trip) {
        return jdbc.queryForObject("SELECT step FROM trips WHERE id = ?", String.class, trip);
    }
}
