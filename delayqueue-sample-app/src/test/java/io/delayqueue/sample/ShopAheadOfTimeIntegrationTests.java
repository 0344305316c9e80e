// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor.Settings;

/** The shop from an ahead-of-time build, on a separate JVM. Its trigger is defined only in {@code application.yml}. */
class ShopAheadOfTimeIntegrationTests {

    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    private Path folder;

    @Test
    void shopWhenBuiltAheadOfTimeClosesOrders() throws Exception {
        assertClosesOrders("default");
    }

    @Test
    @Tag("long")
    void brokerlessShopWhenBuiltAheadOfTimeClosesOrders() throws Exception {
        assertClosesOrders("brokerless");
    }

    private void assertClosesOrders(String profile) throws Exception {
        String[] arguments = {"--spring.profiles.active=" + profile, "--server.port=0", "--shop.payment-window=500ms"};
        process(arguments);
        compile();
        Path output = folder.resolve("output");
        Process shop = new ProcessBuilder(command(arguments))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(Files.readString(output)).contains("closed order "));
        } finally {
            shop.destroy();
            assertThat(shop.waitFor(90, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(Files.readString(output)).contains("Starting AOT-processed ShopApplication");
        // of Netty, when the embedded Redis ends before Lettuce has closed a connection
        assertThat(Files.readAllLines(output).stream().filter(line -> !line.contains("rejectedExecution")))
                .noneMatch(line -> line.contains("ERROR"));
    }

    private void process(String[] arguments) {
        Settings settings = Settings.builder()
                .sourceOutput(folder.resolve("sources"))
                .resourceOutput(classes())
                .classOutput(classes())
                .groupId("io.delayqueue")
                .artifactId("shop")
                .build();
        new SpringApplicationAotProcessor(ShopApplication.class, settings, arguments).process();
    }

    private void compile() throws IOException {
        JavaCompiler compiler = requireNonNull(ToolProvider.getSystemJavaCompiler());
        try (Stream<Path> sources = Files.walk(folder.resolve("sources"));
                StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<Path> all = sources.filter(source -> source.toString().endsWith(".java"))
                    .toList();
            assertThat(compiler.getTask(
                                    null,
                                    files,
                                    null,
                                    List.of(
                                            "-d",
                                            classes().toString(),
                                            "-cp",
                                            classes() + File.pathSeparator + CLASS_PATH,
                                            "-nowarn",
                                            "-proc:none"),
                                    null,
                                    files.getJavaFileObjectsFromPaths(all))
                            .call())
                    .isTrue();
        }
    }

    private List<String> command(String[] arguments) {
        return Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-Dspring.aot.enabled=true",
                                "-cp",
                                classes() + File.pathSeparator + CLASS_PATH,
                                ShopApplication.class.getName()),
                        Stream.of(arguments))
                .toList();
    }

    private Path classes() {
        return folder.resolve("classes");
    }
}
