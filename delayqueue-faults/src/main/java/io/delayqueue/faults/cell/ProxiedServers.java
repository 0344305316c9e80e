// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.net.FaultProxy;
import java.util.List;

/** As {@link StandaloneServers}; the applications reach both through proxies that can disturb them. */
public final class ProxiedServers extends StandaloneServers {

    private final FaultProxy toRedis = FaultProxy.to(redis().host(), redis().port());
    private final FaultProxy toRabbit = FaultProxy.to(rabbit().host(), rabbit().port());

    public FaultProxy toRedis() {
        return toRedis;
    }

    public FaultProxy toRabbit() {
        return toRabbit;
    }

    @Override
    public List<String> forApplications() {
        return through(toRedis.port(), toRabbit.port());
    }

    @Override
    public void close() {
        toRedis.close();
        toRabbit.close();
        super.close();
    }
}
