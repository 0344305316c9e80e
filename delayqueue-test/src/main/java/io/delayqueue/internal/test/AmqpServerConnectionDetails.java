// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.test;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;

/** The connection details from an {@code amqp://user:password@host[:port][/vhost]} address. */
public final class AmqpServerConnectionDetails implements RabbitConnectionDetails {

    private final URI uri;
    private final UserInfo userInfo;

    public AmqpServerConnectionDetails(URI uri) {
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
    public @Nullable String getVirtualHost() {
        String path = uri.getPath();
        return path == null || path.length() < 2 ? null : path.substring(1);
    }

    @Override
    public List<Address> getAddresses() {
        return List.of(new Address(uri.getHost(), uri.getPort() > 0 ? uri.getPort() : 5672));
    }
}
