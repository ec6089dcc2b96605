package io.idempotency.processor.model;

import com.sun.source.tree.ClassTree;
import com.sun.source.util.Trees;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.Element;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import org.jspecify.annotations.Nullable;

/** The sources of a compilation, as javac's trees. With another compiler or language there are none. */
final class SourceTrees {

    private SourceTrees() {}

    /** The concrete subclasses of each class in a type's package, as far as they are compiled now. */
    static Map<String, Set<String>> subclassesBeside(ClassElement type, VisitorContext context) {
        Map<String, Set<String>> found = new HashMap<>();
        Optional<ProcessingEnvironment> compiler = CompilerModel.environment(context);
        Optional<TypeElement> source = CompilerModel.type(type);
        if (compiler.isPresent() && source.isPresent()) {
            Element around = compiler.get().getElementUtils().getPackageOf(source.get());
            note(around, Trees.instance(compiler.get()), found);
        }
        return found;
    }

    private static void note(Element around, Trees trees, Map<String, Set<String>> found) {
        for (TypeElement type : ElementFilter.typesIn(around.getEnclosedElements())) {
            if (trees.getTree(type) != null) {
                note(type, trees, found);
                TypeMirror above = type.getModifiers().contains(Modifier.ABSTRACT) ? null : type.getSuperclass();
                while (above instanceof DeclaredType declared && declared.asElement() instanceof TypeElement element) {
                    found.computeIfAbsent(element.getQualifiedName().toString(), name -> new TreeSet<>())
                            .add(type.getQualifiedName().toString());
                    above = element.getSuperclass();
                }
            }
        }
    }

    /** The tree of a class that is written in this compilation's sources, so that its author can be told to change it. */
    static @Nullable ClassTree of(ClassElement type, VisitorContext context) {
        Optional<ProcessingEnvironment> compiler = CompilerModel.environment(context);
        Optional<TypeElement> source = CompilerModel.type(type);
        if (compiler.isEmpty() || source.isEmpty()) {
            return null;
        }
        try {
            return Trees.instance(compiler.get()).getTree(source.get());
        } catch (IllegalArgumentException e) {
            return null; // the environment of a compiler that is not javac
        }
    }
}
