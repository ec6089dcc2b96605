package io.idempotency.benchmarks.peers;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.reflect.MethodSignature;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.ExpressionParser;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * arun0009/idempotent 3.1.0: an aspect around annotated methods. Each call parses the key's expression and evaluates it, looks into
 * the store, and where nothing is there claims, runs the body and writes the result. It compares no fingerprint and
 * knows no owner. Left out, which makes it faster than the original: the look for a header of the current request, meters, the
 * wait for a call in progress; and the duration is read by the JDK instead of by Spring Boot's patterns.
 */
@Aspect
final class ArunAspect {

    private final ArunStore store;
    private final ExpressionParser expressions = new SpelExpressionParser();

    ArunAspect(ArunStore store) {
        this.store = store;
    }

    @Around("@annotation(io.idempotency.benchmarks.peers.SpringCharges.Protected)")
    public @Nullable Object around(ProceedingJoinPoint call) throws Throwable {
        MethodSignature signature = (MethodSignature) call.getSignature();
        SpringCharges.Protected annotation =
                Objects.requireNonNull(signature.getMethod().getAnnotation(SpringCharges.Protected.class));
        ArunStore.Key key = new ArunStore.Key(
                key(call, signature, annotation.key()),
                "__%s.%s()".formatted(signature.getMethod().getDeclaringClass().getSimpleName(), signature.getName()));
        ArunStore.Value found = store.find(key, signature.getReturnType());
        if (found != null && Instant.now().isBefore(found.expiresAt())) {
            if (found.status() != ArunStore.Status.COMPLETED) {
                throw new IllegalStateException("In progress, and nothing waits here: " + key);
            }
            return found.response();
        }
        Instant expires = Instant.now().plus(Duration.parse(annotation.duration()));
        if (!store.insert(key, new ArunStore.Value(ArunStore.Status.IN_PROGRESS, expires, null))) {
            throw new IllegalStateException("Another caller was faster, and nothing waits here: " + key);
        }
        Object result = call.proceed();
        store.update(key, new ArunStore.Value(ArunStore.Status.COMPLETED, expires, result));
        return result;
    }

    private String key(ProceedingJoinPoint call, MethodSignature signature, String expression) {
        StandardEvaluationContext context = new StandardEvaluationContext();
        String[] names = signature.getParameterNames();
        for (int i = 0; i < names.length; i++) {
            context.setVariable(names[i], call.getArgs()[i]);
        }
        return String.valueOf(expressions.parseExpression(expression).getValue(context));
    }
}
