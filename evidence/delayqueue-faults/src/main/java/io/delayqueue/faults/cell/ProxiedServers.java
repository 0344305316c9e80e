// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.net.FaultProxy;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Like {@link StandaloneServers}, but the applications reach both servers through proxies that can disturb the
 * connections.
 */
public class ProxiedServers extends StandaloneServers {

    private static final Pattern SUBSCRIPTION = Pattern.compile(" addr=[^ ]*:(\\d+) [^\\n]* sub=[1-9]");

    private final FaultProxy toRedis = FaultProxy.to(redis().host(), redis().port());
    private final FaultProxy toRabbit = FaultProxy.to(rabbit().host(), rabbit().port());

    public final FaultProxy toRedis() {
        return toRedis;
    }

    public final FaultProxy toRabbit() {
        return toRabbit;
    }

    /** Freezes the subscription of one application from now on: no data moves, and neither side is notified. */
    void silenceSubscription() {
        String clients = String.valueOf(admin().call("CLIENT", "LIST"));
        Matcher subscription = SUBSCRIPTION.matcher(clients);
        while (subscription.find()) {
            if (toRedis.silence(Integer.parseInt(subscription.group(1)))) {
                return;
            }
        }
        throw new IllegalStateException("No application has subscribed");
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
