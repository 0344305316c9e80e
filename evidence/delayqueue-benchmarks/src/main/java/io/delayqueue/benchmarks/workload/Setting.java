// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.server.Place;

/**
 * One run.
 *
 * @param workload its name
 * @param subject the subject's name
 * @param quick whether at reduced size
 * @param place the servers
 */
public record Setting(String workload, String subject, boolean quick, Place place) {

    /** Returns the first size, or the second if the run is quick. */
    public int size(int full, int reduced) {
        return quick ? reduced : full;
    }
}
