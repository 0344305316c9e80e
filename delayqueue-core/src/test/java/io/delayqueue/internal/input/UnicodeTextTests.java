// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class UnicodeTextTests {

    private static final String[] PIECES = {
        "", "a", "?", "\u00e4", "\ud83d", "\ude00", "\ud83d\ude00", "\udc80", "\ud800"
    };

    /** All words of three pieces: surrogates at the beginning, in the middle and at the end, in every order. */
    @Test
    void isValidSaysWhetherTheEncoderTakesTheText() {
        for (String first : PIECES) {
            for (String second : PIECES) {
                for (String third : PIECES) {
                    String text = first + second + third;
                    assertThat(UnicodeText.isValid(text))
                            .as(text.chars()
                                    .mapToObj(Integer::toHexString)
                                    .toList()
                                    .toString())
                            .isEqualTo(StandardCharsets.UTF_8.newEncoder().canEncode(text));
                }
            }
        }
    }
}
