// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.retries;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** Stands for an office that is slow, closed or strict. */
@Component
class Tax {

    enum Answer {
        ACCEPTED,
        UNKNOWN_NUMBER,
        CLOSED,
        BROKEN
    }

    final Map<String, Answer> answers = new ConcurrentHashMap<>();
    final Map<String, Integer> reports = new ConcurrentHashMap<>();

    Answer report(String number) {
        reports.merge(number, 1, Integer::sum);
        return answers.getOrDefault(number, Answer.ACCEPTED);
    }
}
