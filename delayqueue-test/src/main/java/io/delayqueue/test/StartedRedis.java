// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.redis.RedisServersCheck;
import io.delayqueue.test.autoconfigure.RedisServerConnectionDetails;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Keeps a context from starting if its tasks would go to another Redis than the one that was started for its test. An
 * application may have a connection of its own, which heeds no connection details.
 */
final class StartedRedis implements RedisServersCheck {

    private static final String SWITCH = "delayqueue.test.embedded.redis";

    private final ObjectProvider<DataRedisConnectionDetails> details;
    private final Environment environment;

    StartedRedis(ObjectProvider<DataRedisConnectionDetails> details, Environment environment) {
        this.details = details;
        this.environment = environment;
    }

    @Override
    public void check(LettuceConnectionFactory servers, String origin) {
        boolean isWanted = !"false".equalsIgnoreCase(environment.getProperty(SWITCH));
        if (isWanted && details.getIfUnique() instanceof RedisServerConnectionDetails started) {
            requireSame(servers, started.getStandalone(), origin);
        }
    }

    private static void requireSame(LettuceConnectionFactory servers, Standalone started, String origin) {
        if (!isAt(servers, started)) {
            throw new DelayQueueException("The tasks of this test would go to " + shown(servers) + ", by " + origin
                    + ", and not to the Redis that was started for it, " + started.getHost() + ":" + started.getPort()
                    + ". Leave that out of the test, so that Spring Boot makes the RedisConnectionFactory; or give the"
                    + " test one to the server of the bean DataRedisConnectionDetails; or set " + SWITCH
                    + "=false if tests may use that server.");
        }
    }

    private static boolean isAt(LettuceConnectionFactory servers, Standalone started) {
        return !servers.isClusterAware()
                && !servers.isRedisSentinelAware()
                && servers.getPort() == started.getPort()
                && isSameHost(servers.getHostName(), started.getHost());
    }

    private static boolean isSameHost(String one, String other) {
        return one.equals(other) || (isThisMachine(one) && isThisMachine(other));
    }

    private static boolean isThisMachine(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException ex) {
            return false;
        }
    }

    private static String shown(LettuceConnectionFactory servers) {
        if (servers.isClusterAware()) {
            return "the cluster at "
                    + Objects.requireNonNull(servers.getClusterConfiguration()).getClusterNodes();
        }
        if (servers.isRedisSentinelAware()) {
            return "the master of the Sentinels at "
                    + Objects.requireNonNull(servers.getSentinelConfiguration()).getSentinels();
        }
        return servers.getHostName() + ":" + servers.getPort();
    }
}
