// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import io.delayqueue.faults.Seed;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of an application of the load.
 *
 * @param history the folder of the histories
 * @param process name of this process, unique among all processes of the run
 * @param clock the Redis server whose clock determines when tasks are due
 * @param end a file whose existence ends the scheduling
 * @param seed seed of all random choices
 * @param longestDelay longest delay of a task
 * @param threads number of threads that make calls
 * @param perSecond number of tasks that all threads together schedule per second
 * @param slowPercent percentage of tasks with a slow handler
 * @param failPercent percentage of tasks whose first attempt fails
 * @param deadPercent percentage of tasks whose attempts all fail
 * @param slowTime duration of a slow handler
 * @param errorPercent percentage of handler calls that throw a random exception; interceptors throw a third as often
 * @param fenced whether handlers write to a table that compares fencing tokens, on the server of the clock
 * @param quorumPercent percentage of forwarded tasks for a second queue of the broker
 * @param blocking number of asynchronous calls per second whose dependents block
 * @param outbox whether each call is made in a database transaction; some transactions roll back
 * @param intake exchange of an intake that receives the calls for the forwarded queue; null to make them directly
 * @param grouped whether tasks are in groups; every second group is cancelled
 * @param keys number of keys that the tasks have; 0 for tasks without keys
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
        @Nullable String intake,
        @DefaultValue("false") boolean grouped,
        @DefaultValue("0") int keys) {

    /** Returns the random numbers of this application for one use. */
    Random random(String use) {
        return new Seed(seed).random(process + " " + use);
    }
}
