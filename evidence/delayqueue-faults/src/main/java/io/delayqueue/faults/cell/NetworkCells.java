// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.net.FaultProxy;
import io.delayqueue.faults.net.NetworkFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/**
 * Cells that make the network between the applications and a server fail repeatedly for a while, or disturb it all the
 * time.
 */
final class NetworkCells {

    /** Duration of a network failure; longer than the applications wait for a reply. */
    private static final Duration BROKEN = Duration.ofSeconds(4);

    /**
     * A heartbeat interval: within this time an application that receives no published messages has opened another
     * connection.
     */
    private static final Duration DEAF_FOR = Duration.ofSeconds(10);

    private static final Duration PUNCTUAL = Duration.ofMillis(100);

    private static final Duration WHOLE = Duration.ofSeconds(3);

    private NetworkCells() {}

    static List<Cell> all() {
        List<Cell> cells = new ArrayList<>();
        addAll(cells, "redis", "Redis", ProxiedServers::toRedis);
        addAll(cells, "rabbit", "RabbitMQ", ProxiedServers::toRabbit);
        cells.add(Cell.of("wake-deaf", "The subscription of one application stops receiving, every 20 s", scene -> {
                    ProxiedServers servers = scene.servers(ProxiedServers.class);
                    scene.repeat(Duration.ZERO, () -> {
                        scene.during("a subscription stands still", () -> {
                            servers.silenceSubscription();
                            scene.pause(DEAF_FOR);
                        });
                        scene.onTime(Set.of(), PUNCTUAL, () -> scene.pause(DEAF_FOR));
                    });
                })
                .on(ProxiedServers::new));
        return cells;
    }

    private static void addAll(
            List<Cell> cells, String name, String server, Function<ProxiedServers, FaultProxy> proxy) {
        cells.add(on(
                name, NetworkFault.CUT, "All connections to " + server + " are cut and refused, for 4 s of 7", proxy));
        cells.add(on(
                name,
                NetworkFault.DROP_REPLIES,
                "Replies of " + server + " are lost, then the connection, for 4 s of 7",
                proxy));
        cells.add(on(
                name, NetworkFault.HALF_OPEN, "Connections to " + server + " transfer nothing, for 4 s of 7", proxy));
        cells.add(on(
                name,
                NetworkFault.DELAY,
                "Data to and from " + server + " is delayed by 50 to 150 ms in each direction",
                proxy));
        cells.add(on(name, NetworkFault.BYTE_BY_BYTE, "Each byte to and from " + server + " is sent alone", proxy));
    }

    private static Cell on(
            String name, NetworkFault fault, String description, Function<ProxiedServers, FaultProxy> proxy) {
        String what = name + "-network-" + fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
        boolean bearable = fault == NetworkFault.DELAY || fault == NetworkFault.BYTE_BY_BYTE;
        return Cell.of(what, description, scene -> {
                    FaultProxy between = proxy.apply(scene.servers(ProxiedServers.class));
                    if (bearable) {
                        suffer(scene, between, what, fault, scene.length());
                    } else {
                        scene.repeat(WHOLE, () -> suffer(scene, between, what, fault, BROKEN));
                    }
                })
                .on(ProxiedServers::new);
    }

    private static void suffer(Scene scene, FaultProxy proxy, String what, NetworkFault fault, Duration time)
            throws Exception {
        scene.during(what, () -> {
            proxy.suffer(fault);
            scene.pause(time);
            proxy.suffer(NetworkFault.NONE);
        });
    }
}
