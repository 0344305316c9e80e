// SPDX-License-Identifier: Apache-2.0
package com.example.recipes;

import java.time.LocalDate;
import java.util.Set;

record Holidays(Set<LocalDate> days) {

    boolean contains(LocalDate day) {
        return days.contains(day);
    }
}
