// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Told to which servers tasks are to go, before anything connects to them, such as by a test that must not touch them. */
@FunctionalInterface
public interface RedisServersCheck {

    /**
     * Returns if tasks may go there.
     *
     * @param servers to be looked at without connecting
     * @param origin the bean or the property that named them, in words
     * @throws RuntimeException that keeps the application from starting
     */
    void check(LettuceConnectionFactory servers, String origin);
}
