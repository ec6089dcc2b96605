package io.idempotency.processor.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.visitor.VisitorContext;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CompilerModelTest {

    @Test
    void whereMicronautLacksItsInternalTypesEveryAnswerIsEmpty() throws Exception {
        Class<?> model = new WithoutInternalTypes().loadClass(CompilerModel.class.getName());
        Object type = answering(ClassElement.class, "any native type");
        Object context = answering(VisitorContext.class, VisitorContext.Language.JAVA);

        assertThat(call(model, "element", io.micronaut.inject.ast.Element.class, type))
                .isEqualTo(Optional.empty());
        assertThat(call(model, "type", ClassElement.class, type)).isEqualTo(Optional.empty());
        assertThat(call(model, "environment", VisitorContext.class, context)).isEqualTo(Optional.empty());
    }

    private static Object answering(Class<?> type, Object answer) {
        return Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> answer);
    }

    private static Object call(Class<?> model, String name, Class<?> parameter, Object argument) throws Exception {
        Method method = model.getDeclaredMethod(name, parameter);
        method.setAccessible(true);
        return method.invoke(null, argument);
    }

    /** Defines the class under test anew, and has no class of Micronaut's compiler. */
    private static final class WithoutInternalTypes extends ClassLoader {

        WithoutInternalTypes() {
            super(CompilerModelTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("io.micronaut.annotation.processing.")) {
                throw new ClassNotFoundException(name);
            }
            return name.equals(CompilerModel.class.getName()) ? define(name) : super.loadClass(name, resolve);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream bytes = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] code = bytes.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
