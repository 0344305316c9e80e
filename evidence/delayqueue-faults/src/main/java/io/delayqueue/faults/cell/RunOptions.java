// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.Seed;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Options for running cells.
 *
 * @param length duration of each cell, without the start of servers and the wait for remaining tasks
 * @param folder folder with one folder per cell for its histories, logs and findings
 * @param judgesLateness whether deliveries that are late after a fault break a rule; a busy machine delays them too
 * @param seed seed of the load and of the fault's times
 */
public record RunOptions(Duration length, Path folder, boolean judgesLateness, Seed seed) {}
