// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Subjects;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parts of a W11 application besides Spring Boot: a configuration, and the class path of its starter, without the
 * auto-configurations of other starters.
 */
enum Starter {
    NONE("Empty", ""),
    DELAYQUEUE(
            "WithDelayqueue",
            Jars.REDIS + "|" + Jars.LETTUCE + "|" + Jars.RABBIT + "|" + Jars.JACKSON + "|"
                    + "delayqueue-(core|control|rabbit|spring-boot-(autoconfigure|starter))"),
    PARTS("WithSpringDataRedis", Jars.REDIS + "|" + Jars.LETTUCE + "|" + Jars.RABBIT + "|" + Jars.JACKSON),
    REDISSON("WithRedisson", Jars.REDIS + "|" + Jars.REDISSON),
    SPRING_RABBIT("WithSpringRabbit", Jars.RABBIT),
    SPRING_DATA_REDIS("WithSpringDataRedis", Jars.REDIS + "|" + Jars.LETTUCE);

    private final String application;
    private final Pattern jars;

    Starter(String application, String jars) {
        this.application = application;
        this.jars = Pattern.compile("(" + Jars.BOOT + (jars.isEmpty() ? "" : "|" + jars) + ")-\\d.*\\.jar");
    }

    static Starter of(String subject) {
        return switch (subject) {
            case Subjects.DELAYQUEUE -> DELAYQUEUE;
            case Subjects.PARTS -> PARTS;
            case Subjects.REDISSON -> REDISSON;
            case Subjects.SPRING_RABBIT -> SPRING_RABBIT;
            case Subjects.SPRING_DATA_REDIS -> SPRING_DATA_REDIS;
            default -> throw new IllegalArgumentException("No starter is measured as " + subject);
        };
    }

    /** Returns the name of its configuration. */
    String application() {
        return StartedApplication.class.getPackageName() + ".StartedApplications$" + application;
    }

    /** Returns its part of this class path, and the location of the benchmarks' own classes. */
    String classPath(String all) {
        Stream<String> own = Stream.of(Path.of(StartedApplication.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .toString());
        Stream<String> taken = Stream.of(all.split(File.pathSeparator))
                .filter(entry ->
                        jars.matcher(Path.of(entry).getFileName().toString()).matches());
        return Stream.concat(own, taken).collect(Collectors.joining(File.pathSeparator));
    }

    /** The jars of a starter, without their versions. */
    private static final class Jars {

        private static final String BOOT = either(
                "spring-boot",
                "spring-boot-autoconfigure",
                "spring-boot-starter",
                "spring-boot-starter-logging",
                "spring-(core|beans|context|expression|aop)",
                "micrometer-(commons|observation)",
                "logback-(core|classic)",
                "log4j-(api|to-slf4j)",
                "jul-to-slf4j",
                "slf4j-api",
                "jakarta\\.annotation-api",
                "snakeyaml",
                "commons-logging",
                "jspecify");
        private static final String REDIS = either(
                "spring-boot-(starter-data-redis|data-redis|data-commons|persistence|transaction|netty)",
                "spring-(data-redis|data-keyvalue|data-commons|tx|oxm|context-support|messaging)",
                "jakarta\\.(xml\\.bind|activation)-api",
                "netty-[a-z-]+",
                "reactor-core",
                "reactive-streams");
        private static final String LETTUCE = either("lettuce-core", "redis-authx-core");
        private static final String RABBIT = either(
                "spring-boot-(starter-amqp|amqp)", "spring-(amqp|rabbit|messaging|tx)", "amqp-client", "netty-[a-z-]+");
        private static final String JACKSON = either("spring-boot-(starter-jackson|jackson)", "jackson-[a-z-]+");
        private static final String REDISSON = either(
                "redisson",
                "redisson-spring-[a-z]+-[a-z0-9-]+",
                "cache-api",
                "rxjava",
                "kryo",
                "reflectasm",
                "objenesis",
                "minlog",
                "byte-buddy",
                "jodd-util",
                "asm");

        private Jars() {}

        private static String either(String... names) {
            return String.join("|", List.of(names));
        }
    }
}
