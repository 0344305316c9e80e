// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

/** What is done with a subject in a JVM of its own. Warms up before it measures. */
@FunctionalInterface
public interface Workload {

    void run(Setting setting, Recorder recorder) throws InterruptedException;
}
