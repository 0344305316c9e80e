// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Banners about a change. The address carries a word for the banner and never its text, which anyone could forge. */
public final class Said {

    private static final String GONE =
            "Nothing was changed: the task is not there any more, or not in a state in which that can be done.";
    private static final String IN_FLIGHT = " A delivery of it had begun and may still end.";

    private static final String BEGUN = " Deliveries that had begun were not stopped.";

    private static final Map<String, String> TEXTS = Map.ofEntries(
            Map.entry("pause", "The queue was paused: nothing more is taken from it until somebody resumes it."),
            Map.entry("resume", "The queue was resumed."),
            Map.entry(
                    "reshard",
                    "The number of shards was changed. Tasks migrate then; the page tells when that has ended."),
            Map.entry("purge", "The queue was emptied." + BEGUN),
            Map.entry(
                    "purge-left",
                    "The tasks that the queue had were deleted. It has others again, such as those scheduled meanwhile."
                            + BEGUN),
            Map.entry("cancel-cancelled", "The task was cancelled."),
            Map.entry("cancel-discarded_dead", "The task was dead. It is discarded."),
            Map.entry("cancel-in_flight", "The task was cancelled." + IN_FLIGHT),
            Map.entry("reschedule-rescheduled", "The task has the new due time."),
            Map.entry("reschedule-in_flight", "The task has the new due time." + IN_FLIGHT),
            Map.entry("deliver-rescheduled", "The task was made due at once."),
            Map.entry("deliver-in_flight", "The task was made due at once." + IN_FLIGHT),
            Map.entry(
                    "redrive-redriven",
                    "The task was redriven: it was made due at once, and its failed attempts are forgotten."),
            Map.entry("discard-discarded", "The task was discarded."),
            Map.entry("operation-stop", "The operation was told to stop; it ends before its next page of tasks."),
            Map.entry("operation-resume", "The operation was told to go on."));

    private Said() {}

    /** Null for nothing. */
    public static @Nullable String of(@Nullable String word) {
        if (word == null) {
            return null;
        }
        return word.endsWith("-not_found") ? GONE : TEXTS.get(word);
    }
}
