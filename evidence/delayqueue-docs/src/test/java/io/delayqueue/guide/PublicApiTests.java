// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.FieldVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;

/** The public API of the published modules, read from their byte code. */
class PublicApiTests {

    private static final List<String> MODULES = List.of(
            "delayqueue-core",
            "delayqueue-control",
            "delayqueue-rabbit",
            "delayqueue-jdbc",
            "delayqueue-console",
            "delayqueue-spring-boot-autoconfigure",
            "delayqueue-test");

    /** Lower these as types and methods go. */
    private static final int MOST_TYPES = 143;

    private static final int MOST_METHODS = 806;

    private static final int SHOWN = Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED;
    private static final Set<String> OF_EVERY_RECORD_OR_ENUM =
            Set.of("toString", "hashCode", "equals", "values", "valueOf", "<clinit>");
    private static final Pattern OURS = Pattern.compile("io/delayqueue/[\\w/$]+");

    private static final Map<String, Shape> SHAPES = new TreeMap<>();

    /** A type that an application can name, with the types that its public and protected signatures name. */
    private record Shape(boolean visible, boolean isRecord, String parent, Map<String, Set<String>> signatures) {}

    /** They keep their components, apart from TaskFilter and TaskQuery. What may grow is an interface, or a class with a builder. */
    private static final Set<String> RECORDS = Set.of(
            "BatchFailedException$Line",
            "DeferredCallFailed",
            "DeliveryWindow",
            "DeliveryWindow$Hours",
            "Due",
            "EncodedPayload",
            "FailedAttempt",
            "GroupResult",
            "HistoryEntry",
            "LocalDueTime",
            "ScheduleResult",
            "TaskContent",
            "TaskPage",
            "admin/KeyLimits",
            "admin/PurgeResult",
            "admin/QueuePause",
            "admin/QueueSharding",
            "admin/QueueStats",
            "admin/RedriveResult",
            "admin/TaskQuery",
            "admin/WaitingKey",
            "autoconfigure/DelayQueueRedisConnectionDetails$Node",
            "codec/PayloadUpgrade",
            "control/AuditEntry",
            "control/Caller",
            "control/OperationView",
            "control/OperationView$Erased",
            "control/TaskFilter",
            "delivery/TaskDied",
            "delivery/TaskExpired",
            "delivery/TaskQuarantined",
            "handler/RetrySettings",
            "jdbc/OutboxStatistics",
            "jdbc/ReceivedTask",
            "jdbc/RejectedOperation",
            "jdbc/SentOperation",
            "rabbit/RabbitAddress");

    @BeforeAll
    static void read() throws IOException {
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(Path.of("../..", module, "target/classes/io"))) {
                files.filter(file -> file.toString().endsWith(".class")).forEach(PublicApiTests::read);
            }
        }
        SHAPES.values().forEach(PublicApiTests::inherit);
    }

    private static void read(Path file) {
        try {
            ShapeReader shape = new ShapeReader();
            new ClassReader(Files.readAllBytes(file)).accept(shape, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
            SHAPES.put(shape.name, new Shape(shape.visible, shape.isRecord, shape.parent, shape.signatures));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Adds the members of a parent that is not public, which Javadoc shows as the type's own. */
    private static void inherit(Shape shape) {
        Shape parent = SHAPES.get(shape.parent());
        if (parent != null && !parent.visible()) {
            inherit(parent);
            parent.signatures().forEach(shape.signatures()::putIfAbsent);
            shape.signatures().values().forEach(types -> types.remove(shape.parent()));
        }
    }

    private static boolean isInternal(String type) {
        return type.contains("/internal/");
    }

    /** A nested type is as visible as what it is in. */
    private static boolean isPublic(String type) {
        Shape shape = SHAPES.get(type);
        int nested = type.lastIndexOf('$');
        return shape != null && shape.visible() && (nested < 0 || isPublic(type.substring(0, nested)));
    }

    private static Stream<Map.Entry<String, Shape>> api() {
        return SHAPES.entrySet().stream().filter(each -> !isInternal(each.getKey()) && isPublic(each.getKey()));
    }

    @Test
    void signaturesWhenPublicNameNoTypeThatAnApplicationCannotUse() {
        Map<String, Set<String>> wrong = new TreeMap<>();
        api().forEach(type -> type.getValue()
                .signatures()
                .forEach((member, types) -> types.stream()
                        .filter(named -> isInternal(named) || (SHAPES.containsKey(named) && !isPublic(named)))
                        .forEach(named -> wrong.computeIfAbsent(type.getKey(), key -> new TreeSet<>())
                                .add(member + " names " + named))));

        assertThat(wrong).isEmpty();
    }

    @Test
    void surfaceWhenCountedDoesNotGrow() {
        long methods = api().flatMap(type -> type.getValue().signatures().keySet().stream())
                .filter(member -> member.contains("("))
                .count();

        assertThat(api().count()).as("public types").isBetween(100L, (long) MOST_TYPES);
        assertThat(methods).as("public and protected methods").isBetween(500L, (long) MOST_METHODS);
    }

    @Test
    void recordsWhenPublicAreThoseThatKeepTheirComponents() {
        assertThat(api().filter(type -> type.getValue().isRecord())
                        .map(type -> type.getKey().substring("io/delayqueue/".length())))
                .containsExactlyInAnyOrderElementsOf(RECORDS);
    }

    private static final class ShapeReader extends ClassVisitor {

        private final Map<String, Set<String>> signatures = new TreeMap<>();
        private String name = "";
        private String parent = "";
        private boolean visible;
        private boolean isRecord;

        ShapeReader() {
            super(SpringAsmInfo.ASM_VERSION);
        }

        @Override
        public void visit(
                int version,
                int access,
                String name,
                @Nullable String signature,
                @Nullable String superName,
                String @Nullable [] interfaces) {
            this.name = name;
            parent = String.valueOf(superName);
            visible = (access & Opcodes.ACC_PUBLIC) != 0;
            isRecord = "java/lang/Record".equals(superName);
            add("its declaration", (signature == null) ? superName + ";" : signature);
        }

        /** Says whether a nested type is public or protected, which its own flags do not. */
        @Override
        public void visitInnerClass(String inner, @Nullable String outer, @Nullable String simple, int access) {
            if (inner.equals(name)) {
                visible = (access & SHOWN) != 0;
            }
        }

        @Override
        public @Nullable FieldVisitor visitField(
                int access, String field, String descriptor, @Nullable String signature, @Nullable Object value) {
            if ((access & SHOWN) != 0) {
                add(field, (signature == null) ? descriptor : signature);
            }
            return null;
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access,
                String method,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            boolean isShown = (access & SHOWN) != 0 && (access & (Opcodes.ACC_SYNTHETIC | Opcodes.ACC_BRIDGE)) == 0;
            if (isShown && !OF_EVERY_RECORD_OR_ENUM.contains(method)) {
                add(method + descriptor, descriptor + (signature == null ? "" : signature));
            }
            return null;
        }

        private void add(String member, String types) {
            Set<String> named = signatures.computeIfAbsent(member, key -> new TreeSet<>());
            OURS.matcher(types).results().forEach(type -> named.add(type.group()));
        }
    }
}
