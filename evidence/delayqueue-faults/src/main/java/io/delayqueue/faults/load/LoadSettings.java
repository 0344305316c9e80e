// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import io.delayqueue.faults.Seed;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an application of the load is told.
 *
 * @param history the folder of the histories
 * @param process the name of this one, which no other one of the run has or had
 * @param clock a Redis server whose clock tasks are due by
 * @param end a file: when it is there nothing more is scheduled
 * @param seed what is left to chance comes from it
 * @param longestDelay of a task
 * @param threads that make calls
 * @param perSecond tasks that all of them together schedule
 * @param slowPercent of the tasks whose handling takes its time
 * @param failPercent of the tasks whose handling fails the first time
 * @param deadPercent of the tasks whose handling fails each time
 * @param slowTime how long a slow one takes
 * @param errorPercent of the handlings that throw anything at random; a third as often interceptors do
 * @param fenced whether handlers write to a table that compares fencing tokens, beside the server of the clock
 * @param quorumPercent of the forwarded tasks that go to a second queue of the broker
 * @param blocking asynchronous calls a second whose dependents block
 * @param outbox whether each call is made in a database transaction, of which a part rolls back
 * @param grouped whether tasks are in groups, of which every second is cancelled
 */
@ConfigurationProperties("faults")
public record LoadSettings(
        Path history,
        String process,
        URI clock,
        Path end,
        @DefaultValue("1") long seed,
        @DefaultValue("20s") Duration longestDelay,
        @DefaultValue("8") int threads,
        @DefaultValue("100") int perSecond,
        @DefaultValue("2") int slowPercent,
        @DefaultValue("1") int failPercent,
        @DefaultValue("1") int deadPercent,
        @DefaultValue("100ms") Duration slowTime,
        @DefaultValue("0") int errorPercent,
        @DefaultValue("false") boolean fenced,
        @DefaultValue("0") int quorumPercent,
        @DefaultValue("0") int blocking,
        @DefaultValue("false") boolean outbox,
        @DefaultValue("false") boolean grouped) {

    /** Returns the random numbers of this application for one use. */
    Random random(String use) {
        return new Seed(seed).random(process + " " + use);
    }
}
