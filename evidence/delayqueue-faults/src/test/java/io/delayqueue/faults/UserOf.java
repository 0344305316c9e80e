// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import java.net.URI;
import org.springframework.data.redis.connection.RedisConfiguration.WithAuthentication;

/** The user that an address names, if it names one. */
record UserOf(String name, String password) {

    static UserOf uri(URI uri) {
        String[] parts = uri.getUserInfo() == null
                ? new String[] {null, null}
                : uri.getUserInfo().split(":");
        return new UserOf(parts[0], parts[1]);
    }

    void logsIn(WithAuthentication address) {
        if (name != null) {
            address.setUsername(name);
            address.setPassword(password);
        }
    }
}
