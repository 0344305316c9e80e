// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a machine for which there is no embedded executable. */
class RedisExecutableTests {

    private static final String SYSTEM = "os.name";

    private final String system = System.getProperty(SYSTEM);

    @BeforeEach
    void beWindows() {
        System.setProperty(SYSTEM, "Windows 11");
    }

    @AfterEach
    void beOneselfAgain() {
        System.setProperty(SYSTEM, system);
    }

    @Test
    void embeddedWhenThereIsNoneNamesOnlyWhatHelps(@TempDir Path folder) {
        assertThat(RedisExecutable.isEmbeddable()).isFalse();
        assertThatExceptionOfType(TestServerException.class)
                .isThrownBy(() -> RedisExecutable.embedded(folder))
                .withMessageContainingAll("Windows 11", RedisServer.PROGRAM_VARIABLE, "RedisServer.available()")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain(RedisServer.ADDRESS_VARIABLE));
    }

    @Test
    void notInstalledWhenTheAddressWouldDoNamesIt() {
        assertThat(RedisExecutable.notInstalled(true))
                .contains(RedisServer.PROGRAM_VARIABLE, RedisServer.ADDRESS_VARIABLE);
    }

    @Test
    void notInstalledWhenTheAddressIsPassedOverDoesNotNameIt() {
        assertThat(RedisExecutable.notInstalled(false))
                .contains(RedisServer.PROGRAM_VARIABLE)
                .doesNotContain(RedisServer.ADDRESS_VARIABLE);
    }
}
