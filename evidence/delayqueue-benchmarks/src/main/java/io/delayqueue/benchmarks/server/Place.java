// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.server;

import io.delayqueue.test.server.TestDatabase;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The servers of a run.
 *
 * @param redis address of one server, or of one node of a cluster
 * @param cluster whether Redis is a cluster
 * @param rabbit address of the broker, if there is one
 * @param rabbitPid id of the broker's process; 0 if there is none on this machine
 * @param database the database, if there is one
 */
public record Place(
        URI redis,
        boolean cluster,
        @Nullable URI rabbit,
        long rabbitPid,
        @Nullable TestDatabase database) {

    /** Creates a place without a database. */
    public Place(URI redis, boolean cluster, @Nullable URI rabbit, long rabbitPid) {
        this(redis, cluster, rabbit, rabbitPid, null);
    }

    /** Returns this place with a database. */
    public Place with(TestDatabase other) {
        return new Place(redis, cluster, rabbit, rabbitPid, other);
    }

    /** Returns the database of a workload that has one. */
    public TestDatabase orders() {
        if (database == null) {
            throw new IllegalStateException("This workload was started without a database");
        }
        return database;
    }

    /** Returns the broker of a workload that has one. */
    public URI broker() {
        if (rabbit == null) {
            throw new IllegalStateException("This workload was started without a broker");
        }
        return rabbit;
    }
}
