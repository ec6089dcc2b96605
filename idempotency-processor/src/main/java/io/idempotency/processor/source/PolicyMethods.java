package io.idempotency.processor.source;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import com.palantir.javapoet.WildcardTypeName;
import io.idempotency.processor.model.OperationMethod;
import java.util.List;
import javax.lang.model.element.Modifier;

/** What the annotation sets and no configuration may change; other policies are arguments of the constructor. */
final class PolicyMethods {

    private static final TypeName THROWABLES = ParameterizedTypeName.get(
            ClassName.get(List.class),
            ParameterizedTypeName.get(ClassName.get(Class.class), WildcardTypeName.subtypeOf(Throwable.class)));

    private PolicyMethods() {}

    static void addTo(TypeSpec.Builder type, OperationMethod method) {
        String namespace = method.text("namespace");
        if (!namespace.isEmpty()) {
            answer(type, TypeName.get(String.class), "namespace", CodeBlock.of("$S", namespace));
            answerTrue(type, "sharesKeys");
        }
        if (method.flag("transactional")) {
            answerTrue(type, "transactional");
        }
        for (String list : OperationMethod.FAILURE_LISTS) {
            List<String> names = method.classNames(list);
            if (!names.isEmpty()) {
                CodeBlock classes = names.stream()
                        .map(each -> CodeBlock.of("$L.class", each.replace('$', '.')))
                        .collect(CodeBlock.joining(", "));
                answer(type, THROWABLES, list, CodeBlock.of("$T.of($L)", List.class, classes));
            }
        }
    }

    static void answerTrue(TypeSpec.Builder type, String method) {
        answer(type, TypeName.BOOLEAN, method, CodeBlock.of("true"));
    }

    private static void answer(TypeSpec.Builder type, TypeName returned, String method, CodeBlock value) {
        type.addMethod(MethodSpec.methodBuilder(method)
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .returns(returned)
                .addStatement("return $L", value)
                .build());
    }
}
