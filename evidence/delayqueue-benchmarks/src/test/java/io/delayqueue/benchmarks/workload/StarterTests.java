// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.benchmarks.subject.Subjects;
import java.io.File;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StarterTests {

    private static final String ALL = String.join(
            File.pathSeparator,
            "/m/spring-boot-4.1.1.jar",
            "/m/spring-boot-autoconfigure-4.1.1.jar",
            "/m/spring-boot-data-redis-4.1.1.jar",
            "/m/spring-boot-amqp-4.1.1.jar",
            "/m/spring-boot-jackson-4.1.1.jar",
            "/m/lettuce-core-7.5.2.RELEASE.jar",
            "/m/delayqueue-core-0.1.0-SNAPSHOT.jar",
            "/m/delayqueue-test-0.1.0-SNAPSHOT.jar",
            "/m/redisson-4.7.0.jar",
            "/m/redisson-spring-boot-starter-4.7.0.jar",
            "/m/qpid-broker-core-10.1.0.jar");

    @Test
    void classPathHasWhatAStarterBringsAndNothingOfTheOthers() {
        List<String> boot = List.of("spring-boot-4.1.1.jar", "spring-boot-autoconfigure-4.1.1.jar");
        assertThat(jars(Starter.NONE)).isEqualTo(boot);
        assertThat(jars(Starter.of(Subjects.SPRING_RABBIT)))
                .containsAll(boot)
                .contains("spring-boot-amqp-4.1.1.jar")
                .hasSize(3);
        assertThat(jars(Starter.of(Subjects.REDISSON)))
                .contains("spring-boot-data-redis-4.1.1.jar", "redisson-spring-boot-starter-4.7.0.jar")
                .doesNotContain("lettuce-core-7.5.2.RELEASE.jar", "spring-boot-amqp-4.1.1.jar");
        assertThat(jars(Starter.of(Subjects.DELAYQUEUE)))
                .contains("delayqueue-core-0.1.0-SNAPSHOT.jar", "spring-boot-jackson-4.1.1.jar")
                .noneMatch(jar -> jar.contains("redisson") || jar.contains("test") || jar.contains("qpid"));
        assertThat(jars(Starter.of(Subjects.PARTS)))
                .containsExactlyElementsOf(jars(Starter.of(Subjects.DELAYQUEUE)).stream()
                        .filter(jar -> !jar.startsWith("delayqueue"))
                        .toList());
    }

    private static List<String> jars(Starter starter) {
        return Stream.of(starter.classPath(ALL).split(File.pathSeparator))
                .filter(entry -> entry.startsWith("/m/"))
                .map(entry -> entry.substring(3))
                .toList();
    }
}
