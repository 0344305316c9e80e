// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.test;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;

/** The connection details from a {@code redis://[user:password@]host[:port][/database]} address. */
public final class RedisServerConnectionDetails implements DataRedisConnectionDetails {

    private final URI uri;
    private final UserInfo userInfo;

    public RedisServerConnectionDetails(URI uri) {
        this.uri = uri;
        this.userInfo = UserInfo.of(uri);
    }

    @Override
    public @Nullable String getUsername() {
        return userInfo.user();
    }

    @Override
    public @Nullable String getPassword() {
        return userInfo.password();
    }

    @Override
    public Standalone getStandalone() {
        String path = uri.getPath() == null ? "" : uri.getPath().replace("/", "");
        int database = path.isEmpty() ? 0 : Integer.parseInt(path);
        return Standalone.of(uri.getHost(), uri.getPort() > 0 ? uri.getPort() : 6379, database);
    }
}
