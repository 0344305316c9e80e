// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import java.nio.file.Path;

/**
 * What a turn is to do.
 *
 * @param workload its name
 * @param subject the subject's name
 * @param variant of the servers
 * @param broker whether it takes a RabbitMQ server
 * @param quick whether it is done at reduced size
 * @param folder for what it leaves
 * @param turns the file by which those that are there at the same time take turns
 * @param number how many they are
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
