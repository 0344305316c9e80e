// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a page says of the change that led to it. The address has a word for it and never the text, which anybody could forge. */
public final class Said {

    private static final String GONE =
            "Nothing was changed: the task is not there any more, or not in a state in which that can be done.";
    private static final String IN_FLIGHT = " A delivery of it had begun and may still end.";

    private static final Map<String, String> TEXTS = Map.ofEntries(
            Map.entry("pause", "The queue is paused: nothing more is taken from it until somebody resumes it."),
            Map.entry("resume", "The queue runs again."),
            Map.entry(
                    "resize",
                    "The new number of shards is in force. Tasks migrate now; the page tells when that has ended."),
            Map.entry("purge", "The queue was emptied."),
            Map.entry("cancel-cancelled", "The task was cancelled."),
            Map.entry("cancel-in_flight", "The task was cancelled." + IN_FLIGHT),
            Map.entry("reschedule-rescheduled", "The task has the new due time."),
            Map.entry("reschedule-in_flight", "The task has the new due time." + IN_FLIGHT),
            Map.entry("deliver-rescheduled", "The task is due now."),
            Map.entry("deliver-in_flight", "The task is due now." + IN_FLIGHT),
            Map.entry("redrive-done", "The task is alive again and due now; its failed attempts are forgotten."),
            Map.entry("discard-done", "The task was discarded."),
            Map.entry("operation-stop", "The operation ends before its next page of tasks."),
            Map.entry("operation-resume", "The operation goes on."));

    private Said() {}

    /** Null for nothing. */
    public static @Nullable String of(@Nullable String word) {
        if (word == null) {
            return null;
        }
        return word.endsWith("-not_found") ? GONE : TEXTS.get(word);
    }
}
