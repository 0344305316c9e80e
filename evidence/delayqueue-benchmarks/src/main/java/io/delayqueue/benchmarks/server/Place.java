// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.server;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The servers of a run.
 *
 * @param redis of one server, or of one node of a cluster
 * @param cluster whether that is a cluster
 * @param rabbit where there is a broker
 * @param rabbitPid of its process; 0 where there is none on this machine
 */
public record Place(URI redis, boolean cluster, @Nullable URI rabbit, long rabbitPid) {

    /** The broker of a workload that has one. */
    public URI broker() {
        if (rabbit == null) {
            throw new IllegalStateException("This workload was started without a broker");
        }
        return rabbit;
    }
}
