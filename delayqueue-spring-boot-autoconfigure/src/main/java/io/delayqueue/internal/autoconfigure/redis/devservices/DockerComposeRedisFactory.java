// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.devservices;

import io.delayqueue.autoconfigure.DelayQueueRedisConnectionDetails;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.boot.ssl.SslBundle;

/** Creates connection details for a Docker Compose service that runs a Redis image. */
final class DockerComposeRedisFactory extends DockerComposeConnectionDetailsFactory<DelayQueueRedisConnectionDetails> {

    private static final int PORT = 6379;

    DockerComposeRedisFactory() {
        super(new String[] {"redis", "redis/redis-stack", "redis/redis-stack-server", "valkey/valkey"});
    }

    @Override
    protected DelayQueueRedisConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
        return new Details(source.getRunningService());
    }

    private static final class Details extends DockerComposeConnectionDetails
            implements DelayQueueRedisConnectionDetails {

        private final Node node;
        private final @Nullable SslBundle bundle;

        Details(RunningService service) {
            super(service);
            this.node = new Node(service.host(), service.ports().get(PORT));
            this.bundle = getSslBundle(service);
        }

        @Override
        public List<Node> getNodes() {
            return List.of(node);
        }

        @Override
        public @Nullable SslBundle getSslBundle() {
            return bundle;
        }
    }
}
