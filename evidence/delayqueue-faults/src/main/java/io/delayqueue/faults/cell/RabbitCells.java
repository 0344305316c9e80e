// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.test.server.RabbitServer;
import java.time.Duration;
import java.util.List;

/** Cells with faults of RabbitMQ. */
final class RabbitCells {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration FROZEN = Duration.ofSeconds(10);
    private static final Duration ALARM = Duration.ofSeconds(30);

    private RabbitCells() {}

    static List<Cell> all() {
        return List.of(
                Cell.of("rabbit-kill", "RabbitMQ is killed and restarted, every 5 s", scene -> {
                    scene.repeat(SECOND.multipliedBy(5), () -> killAndStart(scene));
                }),
                Cell.of("rabbit-freeze", "RabbitMQ is frozen for 10 s", RabbitCells::freeze)
                        .lasting(FROZEN),
                Cell.of("rabbit-memory-alarm", "RabbitMQ blocks publishers for 30 s", RabbitCells::alarm)
                        .lasting(ALARM),
                Cell.of(
                        "rabbit-topology",
                        "The binding and then the exchange are deleted, and restored",
                        RabbitCells::topology),
                Cell.of("rabbit-close-connections", "RabbitMQ closes all connections every 2 s", scene -> {
                    scene.repeat(SECOND.multipliedBy(2), () -> closeConnections(scene));
                }),
                Cell.of(
                                "rabbit-node-kill",
                                "The leader of a quorum queue on three nodes is killed",
                                RabbitCells::killNode)
                        .on(RabbitClusterServers::new),
                Cell.of(
                                "quorum-minority",
                                "Two of three nodes are killed: a quorum queue has no majority, and a classic queue works",
                                RabbitCells::killMajority)
                        .on(QuorumMinorityServers::new)
                        .whereTheBrokerStays());
    }

    static void killAndStart(Scene scene) throws Exception {
        scene.during("rabbit kill -9", () -> {
            scene.servers().rabbit().kill();
            scene.servers().rabbit().start();
        });
    }

    private static void freeze(Scene scene) throws Exception {
        scene.during("rabbit SIGSTOP 10 s", () -> {
            scene.servers().rabbit().suspend();
            scene.pause(FROZEN);
            scene.servers().rabbit().resume();
        });
    }

    private static void alarm(Scene scene) throws Exception {
        scene.during("rabbit memory alarm", () -> {
            scene.servers().rabbit().ctl("set_vm_memory_high_watermark", "0");
            scene.pause(ALARM);
            scene.servers().rabbit().ctl("set_vm_memory_high_watermark", "0.4");
        });
    }

    private static void topology(Scene scene) throws Exception {
        BrokerAdmin broker = new BrokerAdmin(scene.servers().rabbit());
        Duration third = scene.length().dividedBy(3);
        scene.during("binding deleted", () -> {
            broker.deleteBinding();
            scene.pause(third);
            broker.restore();
        });
        scene.pause(third);
        scene.during("exchange deleted", () -> {
            broker.deleteExchange();
            scene.pause(third);
            broker.restore();
        });
    }

    private static void closeConnections(Scene scene) throws Exception {
        scene.during("close_all_connections", () -> scene.servers().rabbit().ctl("close_all_connections", "fault"));
    }

    private static void killMajority(Scene scene) throws Exception {
        QuorumMinorityServers servers = scene.servers(QuorumMinorityServers.class);
        scene.during("two rabbit nodes kill -9", () -> {
            servers.others().forEach(RabbitServer::kill);
            scene.pause(scene.length());
            servers.others().forEach(RabbitServer::start);
        });
    }

    private static void killNode(Scene scene) throws Exception {
        RabbitClusterServers servers = scene.servers(RabbitClusterServers.class);
        scene.during("rabbit node kill -9", () -> {
            servers.leader().kill();
            scene.pause(scene.length());
            servers.leader().start();
        });
    }
}
