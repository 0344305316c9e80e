// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NumbersTests {

    @Test
    void besideWhenRoundingWouldReachTheBoundHasMoreDigits() {
        assertThat(Numbers.beside(0.95, 0.9498)).isEqualTo("0.9498");
        assertThat(Numbers.beside(1, 0.9996)).isEqualTo("0.9996");
        assertThat(Numbers.beside(4, 4.004)).isEqualTo("4.004");
        assertThat(Numbers.beside(20_000, 19_999.7)).isEqualTo("19,999.7");
        assertThat(Numbers.beside(0.05, 0.0501)).isEqualTo("0.0501");
    }

    @Test
    void besideWhenRoundingKeepsTheSideHasNoMoreDigitsThanElsewhere() {
        assertThat(Numbers.beside(0.95, 0.9449)).isEqualTo("0.94");
        assertThat(Numbers.beside(15, 42.37)).isEqualTo("42.4");
        assertThat(Numbers.beside(0.95, 0.95)).isEqualTo("0.95");
        assertThat(Numbers.beside(0, 0)).isEqualTo("0");
    }

    @Test
    void besideWhenThereIsNoEndOfDigitsStops() {
        assertThat(Numbers.beside(1, Math.nextDown(1.0))).isEqualTo("0.9999999999999999");
        assertThat(Numbers.beside(0.7, 0.7 - 1e-12)).isEqualTo("0.699999999999");
    }

    @Test
    void textWhenTheValueIsTinyShowsTwoDigitsOfIt() {
        assertThat(Numbers.text(0.0014228)).isEqualTo("0.0014");
        assertThat(Numbers.text(0.05)).isEqualTo("0.05");
        assertThat(Numbers.text(0)).isEqualTo("0");
    }
}
