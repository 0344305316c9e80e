// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

/** A measurement of a subject in a separate JVM. Warms up before it measures. */
@FunctionalInterface
public interface Workload {

    void run(Setting setting, Recorder recorder) throws InterruptedException;
}
