// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import io.delayqueue.internal.redis.check.RedisRights;

/**
 * The users on servers of ours that may do what the library needs and nothing else, and whether tests have to be them.
 */
final class LeastRights {

    static final String USER = "delayqueue";
    static final String PASSWORD = "least-rights";
    static final String USER_INFO = USER + ":" + PASSWORD;

    private static final String PROPERTY = "delayqueue.test.least-rights";

    private LeastRights() {}

    static boolean areRequired() {
        return Boolean.getBoolean(PROPERTY);
    }

    /** A line of {@code redis.conf}. Those of a cluster do no harm elsewhere, so one line does for all servers. */
    static String redisUser() {
        return RedisRights.ofEveryPrefix().inCluster().user(USER, PASSWORD);
    }

    /** The same for a Sentinel: who may ask for the master and nothing else. */
    static String sentinelUser() {
        return "user " + USER + " reset on >" + PASSWORD + " -@all +sentinel|get-master-addr-by-name";
    }
}
