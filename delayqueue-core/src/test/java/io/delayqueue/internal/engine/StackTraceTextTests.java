// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StackTraceTextTests {

    private static final int LARGEST = 16_384;

    private static RuntimeException deep(int frames) {
        return frames == 0 ? outer() : deep(frames - 1);
    }

    private static RuntimeException outer() {
        return new IllegalStateException("no luck", inner());
    }

    private static RuntimeException inner() {
        return new IllegalArgumentException("Zürich");
    }

    @Test
    void traceWhenItFitsIsWhatJavaPrints() {
        StringWriter printed = new StringWriter();
        RuntimeException error = outer();
        error.printStackTrace(new PrintWriter(printed, true));

        assertThat(StackTraceText.of(error, LARGEST).lines())
                .isEqualTo(printed.toString().lines().toList())
                .contains("Caused by: java.lang.IllegalArgumentException: Zürich");
    }

    @Test
    void traceWhenAnExceptionIsSuppressedHasIt() {
        RuntimeException error = outer();
        error.addSuppressed(inner());

        assertThat(StackTraceText.of(error, LARGEST))
                .contains("\n\tSuppressed: java.lang.IllegalArgumentException: Zürich\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {600, 2_000, LARGEST})
    void traceWhenItIsTooLongIsCut(int size) {
        String text = StackTraceText.of(deep(1_000), size);

        assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSize(size);
        assertThat(text)
                .startsWith("java.lang.IllegalStateException: no luck\n\tat ")
                .endsWith("\n... cut");
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 102, 103, 104})
    void traceWhenItIsCutIsCutBetweenCharacters(int size) {
        String text = StackTraceText.of(new IllegalStateException("\ud83d\ude00".repeat(400)), size);

        assertThat(text).matches("java.lang.IllegalStateException: (\ud83d\ude00)+\n... cut");
        assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(size - 3, size);
    }

    @Test
    void traceWhenAMessageHasControlCharactersEscapesThem() {
        assertThat(StackTraceText.of(new IllegalStateException("a\u001eb\u001fc\r\nd\re"), LARGEST))
                .startsWith("java.lang.IllegalStateException: a\\u001eb\\u001fc\nd\\u000de\n");
    }

    @Test
    void traceWhenCausesFormACycleOrAMessageThrowsEnds() {
        RuntimeException first = new IllegalStateException("first");
        RuntimeException second = new IllegalStateException("second", first);
        first.initCause(second);

        assertThat(StackTraceText.of(first, LARGEST)).contains("second").contains("CIRCULAR REFERENCE");
        assertThat(StackTraceText.of(
                        new IllegalStateException() {
                            @Override
                            public String getMessage() {
                                throw new UnsupportedOperationException();
                            }
                        },
                        LARGEST))
                .isEmpty();
    }
}
