// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.Seed;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How cells are run.
 *
 * @param length of each cell, but for starting servers and waiting for what failed to become empty
 * @param folder in which each cell has one with its histories, logs and findings
 * @param judgesLateness whether deliveries that are late after a fault convict; a busy machine makes them so too
 * @param seed what the load and the times of the fault are drawn from
 */
public record RunOptions(Duration length, Path folder, boolean judgesLateness, Seed seed) {}
