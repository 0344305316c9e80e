// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import net.bytebuddy.asm.AsmVisitorWrapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that each mutant can be made; {@code scripts/faults --mutants} checks that all are convicted. */
class MutantIntegrationTests {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void writeToWhenTheLibraryIsAsItIsWritesFilesThatDifferFromIt(Mutant mutant) throws Exception {
        mutant.writeTo(folder);
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            String name = folder.relativize(file).toString();
            try (InputStream real = getClass().getClassLoader().getResourceAsStream(name)) {
                assertThat(real).as(name).isNotNull();
                assertThat(Files.readAllBytes(file)).as(name).isNotEqualTo(real.readAllBytes());
            }
            if (name.endsWith(".class")) {
                verify(name.substring(0, name.length() - ".class".length()).replace('/', '.'));
            }
        }
    }

    /** Has the virtual machine check the bytes, in a class loader that looks in the folder first. */
    private void verify(String name) throws Exception {
        String[] entries = System.getProperty("java.class.path").split(java.io.File.pathSeparator);
        URL[] urls = new URL[entries.length + 1];
        urls[0] = folder.toUri().toURL();
        for (int i = 0; i < entries.length; i++) {
            urls[i + 1] = Path.of(entries[i]).toUri().toURL();
        }
        try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            assertThat(Class.forName(name, true, loader).getDeclaredMethods()).isNotEmpty();
        }
    }

    @Test
    void writeToWhenTheTextIsNotThereRefuses() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new ScriptMutation("settle", "no such text", "").writeTo(folder));
    }

    @Test
    void writeToWhenTheTextIsThereTwiceRefuses() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new ScriptMutation("settle", "redis.call", "").writeTo(folder));
    }

    @Test
    void writeToWhenTheMethodIsNotThereRefuses() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new ClassMutation(
                                "io.delayqueue.internal.rabbit.confirm.ConfirmChannel",
                                List.of("nothing"),
                                AsmVisitorWrapper.NoOp.INSTANCE)
                        .writeTo(folder));
    }
}
