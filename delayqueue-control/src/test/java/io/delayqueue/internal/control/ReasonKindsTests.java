// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReasonKindsTests {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Read timed out after 30007 ms, order 71b3-004 | Read timed out after ‹n› ms, order ‹id›",
                "Read timed out after 29ms | Read timed out after ‹n›ms",
                "503 Service Unavailable from hooks.shop-17.example | 503 Service Unavailable from hooks.shop-17.example",
                "IllegalStateException: 404 Not Found: api.partner.example/v2/callback | IllegalStateException: 404 Not Found: api.partner.example/v2/callback",
                "GET https://a.example/x?order=17&t=9 failed | GET https://a.example/x?‹text› failed",
                "Unrecognized field \"discount\" (class com.shop.OrderPaid) | Unrecognized field ‹text› (class com.shop.OrderPaid)",
                "no customer 'Smith' | no customer ‹text›",
                "it isn't there and won't be | it isn't there and won't be",
                "row 0f8fad5b-d9cb-469f-a165-70867728950e is locked | row ‹id› is locked",
                "hash deadbeef01 differs | hash ‹id› differs",
                "lease expired | lease expired",
                "took 1.5 s of 2 | took ‹n› s of ‹n›"
            })
    void reasonsThatDifferInValuesAreOneKind(String reason, String kind) {
        assertThat(ReasonKinds.of(reason)).isEqualTo(kind);
    }

    /** A filter by a kind finds the tasks of it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Read timed out after 30007 ms, order 71b3-004 | Read timed out after 3 ms, order 9",
                "no 'a' | no 'b'"
            })
    void kindOfOneReasonIsThatOfAnother(String one, String other) {
        assertThat(ReasonKinds.of(one)).isEqualTo(ReasonKinds.of(other));
    }

    @Test
    void statusTellsKindsApart() {
        assertThat(ReasonKinds.of("status 503 of payments")).isNotEqualTo(ReasonKinds.of("status 404 of payments"));
    }

    @Test
    void reasonOfAnyLengthIsFoldedInTime() {
        String quotes = "\"".repeat(100_000);
        assertThat(ReasonKinds.of(quotes + "://".repeat(10_000) + "-1".repeat(10_000)))
                .isNotEmpty();
    }
}
