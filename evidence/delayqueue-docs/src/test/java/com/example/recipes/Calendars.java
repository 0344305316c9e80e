// SPDX-License-Identifier: Apache-2.0
package com.example.recipes;

import io.delayqueue.WorkingDays;
import java.util.Set;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class Calendars {

    @Bean
    Holidays holidays() {
        return new Holidays(Set.of());
    }

    @Bean
    WorkingDays germany(Holidays holidays) {
        return day -> day.getDayOfWeek().getValue() < 6 && !holidays.contains(day);
    }
}
