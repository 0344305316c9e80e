// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnicodeTextTests {

    private static final String[] PIECES = {
        "", "a", "?", "\u00e4", "\ud83d", "\ude00", "\ud83d\ude00", "\udc80", "\ud800"
    };

    @Test
    void isLineWhenACharacterWouldBreakOrReorderALineIsFalse() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            boolean isPlain = !Character.isISOControl(c)
                    && (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
                    && !List.of(0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069)
                            .contains(c);
            assertThat(UnicodeText.isLine("a" + Character.toString(c) + "b"))
                    .as("U+%04x", c)
                    .isEqualTo(isPlain);
        }
    }

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
