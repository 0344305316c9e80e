// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskIdsTests {

    private static final String[] NAMES = {"a", "a}", "}", "%", "%7D", "%25", "{a", "{a}:", "{a}~", "a}~b", "a}:{b"};

    @ParameterizedTest
    @CsvSource({
        ", , reminder, reminder, reminder",
        ", order:42, reminder, {order:42}~reminder, order:42",
        "clinic-17, , reminder, {clinic-17}:reminder, clinic-17",
        "clinic-17, order:42, reminder, {clinic-17}:{order:42}~reminder, clinic-17",
        "50%, a}b, c, {50%25}:{a%7Db}~c, 50%25",
    })
    void ofReturnsAnIdThatNamesKeyAndGroup(
            @Nullable String key, @Nullable String group, String id, String whole, String home) {
        assertThat(TaskIds.of(key, group, id)).isEqualTo(whole);
        assertThat(TaskIds.of(key, group, whole)).isEqualTo(whole);
        assertThat(TaskIds.keyOf(whole).orElse(null)).isEqualTo(key);
        assertThat(TaskIds.groupOf(whole).orElse(null)).isEqualTo(group);
        assertThat(TaskIds.homeOf(whole)).isEqualTo(home);
    }

    @Test
    void ofWhenNamesHaveBracesAndPercentSignsMakesADifferentIdForEach() {
        Set<String> ids = new HashSet<>();
        for (String key : NAMES) {
            for (String group : NAMES) {
                for (String id : new String[] {"x", "}x", "~x", ":x", "%x"}) {
                    String whole = TaskIds.of(key, group, id);
                    assertThat(TaskIds.keyOf(whole)).contains(key);
                    assertThat(TaskIds.groupOf(whole)).contains(group);
                    assertThat(TaskIds.groupPrefixOf(whole)).contains(TaskIds.groupPrefix(key, group));
                    assertThat(whole).startsWith(TaskIds.keyPrefix(key)).endsWith("}~" + id);
                    assertThat(ids.add(whole)).as(whole).isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"a}b", "{a}b", "{}:b", "{}~b", "{a", "{", "{a}", "x{a}:b", "{a}{b}~c"})
    void keyAndGroupWhenAnIdNamesNoneAreEmpty(String id) {
        assertThat(TaskIds.keyOf(id)).isEmpty();
        assertThat(TaskIds.groupOf(id)).isEmpty();
        assertThat(TaskIds.groupPrefixOf(id)).isEmpty();
        assertThat(TaskIds.homeOf(id)).isEqualTo(id);
    }

    @Test
    void prefixesWhenANameIsEmptyAreRefused() {
        assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> TaskIds.keyPrefix(""));
        assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> TaskIds.groupPrefix("a", ""));
        assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> TaskIds.inGroup("", "a"));
    }
}
