// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PreludeTests {

    private static final String PRELUDE = """
            -- what all share

            local VERSION = 1
            local LONGEST = 9

            -- on what another stands
            local function base()
              return VERSION
            end

            local function text(number)
              return base() + number
            end

            -- as text, but other
            local function context(number)
              return number
            end
            """;

    @Test
    void beforeWhenTheScriptUsesAFunctionBringsItWithThatOnWhichItStands() {
        assertThat(new Prelude(PRELUDE).before("return text(3)\n")).isEqualTo("""
                -- what all share

                local VERSION = 1
                local LONGEST = 9

                -- on what another stands
                local function base()
                  return VERSION
                end

                local function text(number)
                  return base() + number
                end

                return text(3)
                """);
    }

    @Test
    void beforeWhenTheScriptUsesNoneBringsConstantsOnly() {
        assertThat(new Prelude(PRELUDE).before("return VERSION\n")).isEqualTo("""
                -- what all share

                local VERSION = 1
                local LONGEST = 9

                return VERSION
                """);
    }
}
