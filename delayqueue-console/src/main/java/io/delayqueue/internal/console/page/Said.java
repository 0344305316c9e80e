// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.request.ConsoleRequest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Banners about a completed change. An address contains only the code of a banner, because anyone could forge a text in
 * an address.
 */
public final class Said {

    private static final String GONE = "No change: the task no longer exists or its state has changed.";
    private static final String IN_FLIGHT = " A delivery was already in progress and may complete.";

    /** End of the code of a change of several tasks that failed after some of them. */
    private static final String PART = "-part";

    private static final String THEN_FAILED =
            " Then an error ended the change, and not all other selected tasks were changed. Look at them again.";

    private static final Pattern QUEUE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private static final String BEGUN = " Deliveries in progress were not stopped.";

    private static final Map<String, String> TEXTS = Map.ofEntries(
            Map.entry("pause", "The queue was paused until an operator resumes it."),
            Map.entry("resume", "The queue was resumed."),
            Map.entry("reshard", "The number of shards was changed. The page shows when its tasks have migrated."),
            Map.entry("purge", "The queue was emptied." + BEGUN),
            Map.entry("purge-left", "The queue was emptied. Tasks scheduled in the meantime remain." + BEGUN),
            Map.entry("limit-key", "The limits of the key were changed in all processes."),
            Map.entry("close-key", "The key was closed. Its tasks wait." + BEGUN),
            Map.entry("open-key", "The key was opened."),
            Map.entry("cancel-cancelled", "The task was cancelled."),
            Map.entry("cancel-discarded_dead", "The task was dead and was discarded."),
            Map.entry("cancel-in_flight", "The task was cancelled." + IN_FLIGHT),
            Map.entry("reschedule-rescheduled", "The task has the new due time."),
            Map.entry("reschedule-in_flight", "The task has the new due time." + IN_FLIGHT),
            Map.entry("deliver-rescheduled", "The task will be delivered now."),
            Map.entry(
                    "deliver-in_flight",
                    "The task is being delivered. If it has a later due time, it is delivered again."),
            Map.entry(
                    "redrive-redriven",
                    "The task was redriven. It will be delivered now, and its attempts restart at zero."),
            Map.entry("discard-discarded", "The task was discarded."),
            Map.entry(
                    "operation-stop",
                    "Stopping: the operation ends before its next page of tasks. Changed tasks stay changed."),
            Map.entry("operation-resume", "The operation was resumed."));

    /** Texts with the number of tasks, and the verb for it. */
    private static final Map<String, String> COUNTED = Map.of(
            "redrive-first",
            "The newest %s %s redriven and will be delivered now. Reload this page later: it shows the tasks that failed again.",
            "chosen-cancel",
            "%s %s cancelled.",
            "chosen-deliver",
            "%s %s made due and will be delivered now.",
            "chosen-redrive",
            "%s %s redriven and will be delivered now.",
            "chosen-discard",
            "%s %s discarded.");

    private Said() {}

    /** Returns the banner, or null for none. The address also contains the old and new due times. */
    public static @Nullable View of(ConsoleRequest request, Moments moments) {
        String word = request.parameter("done");
        if (word == null) {
            return null;
        }
        boolean isPart = word.startsWith("chosen-") && word.endsWith(PART);
        String done = COUNTED.get(isPart ? word.substring(0, word.length() - PART.length()) : word);
        if (done != null) {
            String counted = counted(request.parameter("of"), done) + (isPart ? THEN_FAILED : "");
            return view(request, List.of(part(now(request, counted), null)));
        }
        String text = word.endsWith("-not_found") ? GONE : TEXTS.get(word);
        if (text == null) {
            return null;
        }
        Instant was = moment(request.parameter("was"));
        Instant is = moment(request.parameter("is"));
        text = now(request, text.replaceFirst("^The queue", "The queue" + which(request)));
        if (word.equals("pause") && is != null) {
            return view(
                    request,
                    List.of(
                            part("The queue" + which(request) + " was paused until ", moments.view(is)),
                            part(", or until an operator resumes it.", null)));
        }
        if (was == null || is == null) {
            return view(request, List.of(part(text, null)));
        }
        String more = word.endsWith("-in_flight") ? "." + IN_FLIGHT : ".";
        return view(
                request,
                List.of(
                        part("The due time was changed from ", moments.view(was)),
                        part(" to ", moments.view(is)),
                        part(more, null)));
    }

    private static View view(ConsoleRequest request, List<View> parts) {
        return View.of("parts", parts).with("saidTone", isPaused(request) ? "warn" : "good");
    }

    /** Returns whether the queue of the changed tasks is paused, according to the address. */
    private static boolean isPaused(ConsoleRequest request) {
        return "true".equals(request.parameter("paused"));
    }

    /** Does not promise a delivery now if the queue is paused. */
    private static String now(ConsoleRequest request, String text) {
        return isPaused(request)
                ? text.replace("will be delivered now", "will be delivered when the queue is resumed: it is paused")
                : text;
    }

    /** Returns the name of the queue after a space; empty if the address has none that is valid. */
    private static String which(ConsoleRequest request) {
        String name = request.parameter("which");
        return name == null || !QUEUE.matcher(name).matches() ? "" : " " + name;
    }

    private static String counted(@Nullable String count, String done) {
        return count == null || !count.matches("[1-9]\\d{0,3}")
                ? GONE
                : done.formatted(Numbers.of(Integer.parseInt(count), "task"), count.equals("1") ? "was" : "were");
    }

    private static View part(String text, @Nullable View at) {
        return View.of("text", text).with("at", at);
    }

    private static @Nullable Instant moment(@Nullable String text) {
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeException ex) {
            return null;
        }
    }
}
