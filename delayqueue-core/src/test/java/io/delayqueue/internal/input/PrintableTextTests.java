// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.input;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrintableTextTests {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "plain|10|plain",
                "0123456789|10|0123456789",
                "0123456789a|10|0123456...",
                "a\\b|20|a\\u005cb",
                "\u00e4|20|\\u00e4",
                "0\u00e4\u00e4|10|0\\u00e4...",
                "\u0007|5|...",
                "\u001b[31m|30|\\u001b[31m",
            })
    void ofWhenGivenForeignTextEscapesAndCutsIt(String text, int max, String expected) {
        assertThat(PrintableText.of(text, max)).isEqualTo(expected).hasSizeLessThanOrEqualTo(max);
    }
}
