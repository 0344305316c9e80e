// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import io.delayqueue.test.server.RedisServer;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** One who may do what the applications may not, to look at what they stored and to clear it away. */
final class RedisOperator implements AutoCloseable {

    private final LettuceConnectionFactory connections;

    RedisOperator(RedisServer redis) {
        connections = new LettuceConnectionFactory(LettuceConnectionFactory.createRedisConfiguration(
                redis.adminUri().toString()));
        connections.afterPropertiesSet();
        connections.start();
    }

    StringRedisTemplate template() {
        return new StringRedisTemplate(connections);
    }

    @Override
    public void close() {
        connections.destroy();
    }
}
