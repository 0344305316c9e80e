// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.pool.TypePool;

/**
 * A change of the byte code of some methods of a class.
 *
 * @param name name of the class
 * @param methods the changed methods; each exists exactly once
 * @param change the change of the class
 */
record ClassMutation(String name, List<String> methods, AsmVisitorWrapper change) implements Mutation {

    @Override
    public void writeTo(Path folder) throws IOException {
        ClassFileLocator classes = ClassFileLocator.ForClassLoader.of(ClassMutation.class.getClassLoader());
        TypePool.Resolution found = TypePool.Default.of(classes).describe(name);
        if (!found.isResolved()) {
            throw new IllegalStateException("There is no class " + name);
        }
        TypeDescription type = found.resolve();
        for (String method : methods) {
            if (type.getDeclaredMethods().stream()
                            .filter(declared -> declared.getName().equals(method) && !declared.isBridge())
                            .count()
                    != 1) {
                throw new IllegalStateException(name + " does not have exactly one method " + method);
            }
        }
        try (DynamicType.Unloaded<?> changed =
                new ByteBuddy().redefine(type, classes).visit(change).make()) {
            changed.saveIn(folder.toFile());
        }
    }
}
