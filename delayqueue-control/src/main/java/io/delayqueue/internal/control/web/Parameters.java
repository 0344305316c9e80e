// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control.web;

import io.delayqueue.TaskState;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.input.PrintableText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Named values of a request or a form. If a value is invalid, throws an {@link IllegalArgumentException} that names the
 * parameter and its valid values. Immutable.
 */
public final class Parameters {

    /** The names of the parameters that select tasks, including those that {@link TaskFilter#asText} writes. */
    public static final List<String> FILTER = ApiCalls.FILTER.stream()
            .map(ApiCalls.Parameter::name)
            .filter(name -> !name.equals("zone"))
            .toList();

    /** The time zone of moments without an offset. Not part of any call. */
    private static final String ZONE = "zone";

    private final Map<String, String> values;
    private final Map<String, String> labels;
    private final Instant now;
    private final @Nullable String zone;

    /**
     * Creates parameters. Blank values count as missing.
     *
     * @param labels the label of each parameter for the user; by default its name
     * @param now current time, to which durations such as {@code 90m} are added
     */
    public Parameters(Map<String, String> values, Map<String, String> labels, Instant now) {
        this.values = new LinkedHashMap<>(values);
        this.values.values().removeIf(String::isBlank);
        this.zone = this.values.remove(ZONE);
        this.labels = labels;
        this.now = now;
    }

    public Parameters without(Set<String> names) {
        Map<String, String> others = new LinkedHashMap<>(values);
        others.keySet().removeAll(names);
        if (zone != null) {
            others.put(ZONE, zone);
        }
        return new Parameters(others, labels, now);
    }

    public Set<String> names() {
        return values.keySet();
    }

    public @Nullable String text(String name) {
        return values.get(name);
    }

    public String required(String name) {
        String value = text(name);
        if (value == null) {
            throw new IllegalArgumentException(quoted(name) + " is required");
        }
        return value;
    }

    /** @param meaning explains the parameter if it is missing */
    void required(String name, String meaning) {
        if (text(name) == null) {
            throw new IllegalArgumentException(quoted(name) + " is required: " + meaning);
        }
    }

    public int number(String name, int otherwise) {
        String value = text(name);
        try {
            return value == null ? otherwise : Integer.parseInt(value.strip());
        } catch (NumberFormatException ex) {
            throw new IllegalArgumentException(quoted(name) + " must be a whole number");
        }
    }

    public boolean flag(String name, boolean otherwise) {
        String value = text(name);
        if (value == null) {
            return otherwise;
        }
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(quoted(name) + " must be true or false");
        };
    }

    /** Returns a moment in a format of {@link TypedMoments}, in the zone of the request or in UTC; null for none. */
    public @Nullable Instant moment(String name) {
        return text(name) == null ? null : moment(name, moments()::read);
    }

    /** Returns a moment; a missing one has a distance from now, such as {@code -1h}. */
    public Instant moment(String name, String otherwise) {
        return text(name) == null ? moments().read(otherwise) : moment(name, moments()::read);
    }

    /** Returns a moment in the future: a time that has passed today means tomorrow. */
    public Instant requiredMoment(String name) {
        required(name);
        return moment(name, moments()::next);
    }

    private Instant moment(String name, Function<String, Instant> read) {
        try {
            return read.apply(required(name).strip());
        } catch (DateTimeException | ArithmeticException ex) {
            throw new IllegalArgumentException(
                    quoted(name) + " must be a time, such as 18:00, tomorrow 18:00, 2030-12-24 18:00 or"
                            + " 2030-12-24T18:00:00Z, or a duration from now, such as 90m or -1d");
        }
    }

    private TypedMoments moments() {
        try {
            return new TypedMoments(now, zone == null ? ZoneOffset.UTC : ZoneId.of(zone));
        } catch (DateTimeException ex) {
            throw new IllegalArgumentException("'zone' must be a time zone, such as Europe/Berlin");
        }
    }

    public Duration duration(String name, String otherwise) {
        String value = text(name);
        try {
            return TypedMoments.duration(value == null ? otherwise : value.strip());
        } catch (DateTimeException | ArithmeticException ex) {
            throw new IllegalArgumentException(
                    quoted(name) + " must be a duration with its unit, such as 10m, 1 hour or PT10M");
        }
    }

    /** Returns the state from {@code state}, in upper or lower case; scheduled by default. */
    public TaskState state() {
        String value = text("state");
        return switch (value == null ? "scheduled" : value.toLowerCase(Locale.ROOT)) {
            case "scheduled", "waiting" -> TaskState.SCHEDULED;
            case "leased" -> TaskState.LEASED;
            case "dead" -> TaskState.DEAD;
            default -> throw new IllegalArgumentException(quoted("state") + " must be scheduled, leased or dead");
        };
    }

    /** Returns whether {@code sort} requests the oldest dead tasks first. */
    public boolean oldestFirst() {
        String sort = text("sort");
        boolean isKnown =
                sort == null || (state() == TaskState.DEAD && (sort.equals("newest") || sort.equals("oldest")));
        if (!isKnown) {
            throw new IllegalArgumentException(quoted("sort") + " must be newest or oldest, and only for dead tasks");
        }
        return "oldest".equals(sort);
    }

    public TaskFilter filter() {
        requireOneOf("idPrefix", "key");
        requireOneOf("idPrefix", "group");
        requireOneOf("reason", "exactReason", "withoutReason", "reasonKind");
        Instant from = moment("from");
        Instant until = moment("until");
        if (from != null && until != null && !from.isBefore(until)) {
            throw new IllegalArgumentException(quoted("from") + " must be before " + quoted("until"));
        }
        TaskFilter filter = TaskFilter.ALL.between(from, until);
        String idPrefix = text("idPrefix");
        String key = text("key");
        String group = text("group");
        String reason = text("reason");
        String exactReason = text("exactReason");
        String reasonKind = text("reasonKind");
        String header = text("header");
        filter = idPrefix == null ? filter : filter.withIdPrefix(idPrefix);
        filter = key == null || group != null ? filter : filter.withKey(key);
        filter = group == null ? filter : key == null ? filter.withGroup(group) : filter.withGroup(key, group);
        filter = reason == null ? filter : filter.withReason(reason);
        filter = exactReason == null ? filter : filter.withExactReason(exactReason);
        filter = flag("withoutReason", false) ? filter.withExactReason("") : filter;
        filter = flag("retrying", false) ? filter.onlyRetrying() : filter;
        filter = reasonKind == null ? filter : filter.withReasonKind(reasonKind);
        return header == null ? filter : filter.withHeader(header()[0], header()[1]);
    }

    /** Returns name and value of the required {@code header}. */
    String[] header() {
        String[] parts = required("header").split("=", 2);
        if (parts.length < 2 || parts[0].isEmpty()) {
            throw new IllegalArgumentException(quoted("header") + " must be a name, '=' and a value");
        }
        return parts;
    }

    void requireOneOf(String... names) {
        List<String> given = List.of(names).stream().filter(values::containsKey).toList();
        if (given.size() > 1) {
            throw new IllegalArgumentException(
                    "Give " + quoted(given.get(0)) + " or " + quoted(given.get(1)) + ", not both");
        }
    }

    /** Returns the parameters that select tasks, unchanged, for forms. */
    public Map<String, String> filterTexts() {
        Map<String, String> texts = new LinkedHashMap<>(values);
        texts.keySet().retainAll(FILTER);
        return texts;
    }

    /** Returns these parameters for addresses: moments in UTC, durations from now unchanged. */
    public Map<String, String> filterAddress() {
        Map<String, String> texts = filterTexts();
        for (String name : List.of("from", "until")) {
            texts.computeIfPresent(
                    name, (key, typed) -> TypedMoments.isRelative(typed.strip()) ? typed : String.valueOf(moment(key)));
        }
        return texts;
    }

    /**
     * Rejects parameters that the call would ignore, because they are likely a mistake.
     *
     * @param what the call, for the message
     */
    public void requireOnly(Set<String> known, String what) {
        for (String name : values.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(quoted(name) + " is not a parameter of " + what
                        + ", so nothing was done. "
                        + (known.isEmpty()
                                ? "It has no parameters"
                                : "Its parameters are: "
                                        + String.join(
                                                ", ", known.stream().sorted().toList())));
            }
        }
    }

    private String quoted(String name) {
        return "'" + labels.getOrDefault(name, PrintableText.of(name, 80)) + "'";
    }
}
