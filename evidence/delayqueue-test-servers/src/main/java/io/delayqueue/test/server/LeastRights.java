// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import io.delayqueue.internal.redis.rights.RedisRights;

/** Users with only the permissions that the library needs, and whether tests must connect as these users. */
final class LeastRights {

    static final String USER = "delayqueue";
    static final String PASSWORD = "least-rights";
    static final String USER_INFO = USER + ":" + PASSWORD;

    private static final String PROPERTY = "delayqueue.test.least-rights";

    private LeastRights() {}

    static boolean areRequired() {
        return Boolean.getBoolean(PROPERTY);
    }

    /**
     * Returns a line for {@code redis.conf}. It includes the permissions for clusters, which are harmless elsewhere.
     */
    static String redisUser() {
        return RedisRights.ofEveryPrefix().inCluster().user(USER, PASSWORD);
    }

    /** Returns the same for a Sentinel: a user that may only ask for the master. */
    static String sentinelUser() {
        return "user " + USER + " reset on >" + PASSWORD + " -@all +sentinel|get-master-addr-by-name";
    }
}
