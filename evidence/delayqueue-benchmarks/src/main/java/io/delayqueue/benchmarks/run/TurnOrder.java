// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import java.nio.file.Path;

/**
 * The order for a turn.
 *
 * @param workload its name
 * @param subject the subject's name
 * @param variant variant of the servers
 * @param broker whether it needs a RabbitMQ server
 * @param quick whether to run at reduced size
 * @param folder folder for its files
 * @param turns a file that concurrent runs lock in turn
 * @param number number of concurrent runs
 */
record TurnOrder(
        String workload,
        String subject,
        String variant,
        boolean broker,
        boolean quick,
        Path folder,
        Path turns,
        int number) {}
