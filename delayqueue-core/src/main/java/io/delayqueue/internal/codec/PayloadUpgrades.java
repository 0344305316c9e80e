// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.codec;

import io.delayqueue.DelayQueueException;
import io.delayqueue.EncodedPayload;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.codec.PayloadUpgrade;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.core.ResolvableType;

/** Upgrades of all payload classes, and the current version of each class. */
final class PayloadUpgrades {

    private static final int ANY = Integer.MAX_VALUE;

    private final Map<Class<?>, TreeMap<Integer, PayloadUpgrade>> byType = new HashMap<>();

    private final ClassValue<Integer> versions = new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> type) {
            int stated = PayloadCodecs.statedVersion(type);
            boolean isOfSubtypes = stated == 0 && hasVersion(type);
            return isOfSubtypes || isGeneric(type) ? ANY : Math.max(1, stated);
        }
    };

    PayloadUpgrades(Collection<PayloadUpgrade> upgrades) {
        for (PayloadUpgrade upgrade : upgrades) {
            PayloadUpgrade other = byType.computeIfAbsent(upgrade.type(), type -> new TreeMap<>())
                    .put(upgrade.from(), upgrade);
            if (other != null) {
                throw new DelayQueueException("Two PayloadUpgrade beans upgrade version " + upgrade.from() + " of "
                        + upgrade.type().getName() + ". Remove one of them");
            }
        }
        byType.forEach(this::checkChain);
    }

    /** Checks that the upgrades of a class lead step by step to its declared version. */
    private void checkChain(Class<?> type, TreeMap<Integer, PayloadUpgrade> chain) {
        int version = versions.get(type);
        int last = chain.lastKey();
        if (chain.firstKey() < 1 || last != version - 1) {
            throw new DelayQueueException("The last PayloadUpgrade of " + type.getName() + " turns version " + last
                    + " into " + (last + 1) + ", but the class has version " + version
                    + ". Correct its @PayloadVersion, or add or correct an upgrade");
        }
        for (int from = chain.firstKey(); from < last; from++) {
            if (!chain.containsKey(from)) {
                throw new DelayQueueException("No PayloadUpgrade bean upgrades version " + from + " of "
                        + type.getName() + ", which an earlier upgrade creates. Declare one");
            }
        }
    }

    boolean isNewer(Map<String, String> headers, Type type) {
        String stored = headers.get(TaskHeaders.VERSION);
        return stored != null && versionOf(stored) > versions.get(classOf(type));
    }

    /** Returns the upgrades to apply before a payload is decoded. */
    List<PayloadUpgrade> before(Map<String, String> headers, Type type) {
        Class<?> target = classOf(type);
        String text = headers.get(TaskHeaders.VERSION);
        int stored = (text == null) ? 1 : versionOf(text);
        int known = versions.get(target);
        if (stored == known || known == ANY) {
            return List.of();
        }
        if (stored < 1) {
            throw new PayloadConversionException("The header " + TaskHeaders.VERSION + " is not a version number");
        }
        if (stored > known) {
            throw new PayloadConversionException("The stored payload has version " + stored + ", but "
                    + target.getName() + " has version " + known + ". Read it in a process that knows the newer one");
        }
        Map<Integer, PayloadUpgrade> chain = byType.getOrDefault(target, new TreeMap<>());
        List<PayloadUpgrade> steps = new ArrayList<>(known - stored);
        for (int from = stored; from < known; from++) {
            PayloadUpgrade step = chain.get(from);
            if (step == null) {
                throw new PayloadConversionException("No PayloadUpgrade bean turns version " + from + " of "
                        + target.getName() + " into version " + (from + 1) + ". Declare one");
            }
            steps.add(step);
        }
        return steps;
    }

    private static Class<?> classOf(Type type) {
        return (type instanceof Class<?> plain)
                ? plain
                : ResolvableType.forType(type).toClass();
    }

    /** Parses a version; returns 0 if it is invalid. */
    private static int versionOf(String text) {
        return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
    }

    /** Returns whether the type or a subtype that it permits has a version. */
    private static boolean hasVersion(Class<?> type) {
        return PayloadCodecs.statedVersion(type) > 0
                || (type.isSealed()
                        && Arrays.stream(type.getPermittedSubclasses()).anyMatch(PayloadUpgrades::hasVersion));
    }

    /** Returns whether the type accepts a payload of any class. */
    private static boolean isGeneric(Class<?> type) {
        String name = type.getName();
        return type.isArray()
                || type.isPrimitive()
                || type == EncodedPayload.class
                || name.startsWith("java.")
                || name.startsWith("tools.jackson.")
                || name.startsWith("com.fasterxml.jackson.");
    }
}
