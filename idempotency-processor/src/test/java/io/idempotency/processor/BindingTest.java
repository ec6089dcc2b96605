package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Recorder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs compiled beans with an interceptor in place of the run time's, which says what it was called with. */
class BindingTest {

    @Test
    void theInterceptorGetsTheDefinitionOfTheMethodThatIsCalled() {
        assertThat(call("Payments", "pay", "o-1", """
                package demo;
                import io.idempotency.*;
                @jakarta.inject.Singleton
                public class Payments {
                    @IdempotentOperation(value = "pay", key = "id")
                    public String pay(String id) { return "ran unprotected"; }
                    public String other(String id) { return "not intercepted"; }
                }
                """)).isEqualTo("pay o-1");
    }

    @Test
    void anAnnotationOnAnInterfaceProtectsItsImplementationWhateverItCallsItsParameters() {
        assertThat(call("Payments", "pay", "o-1", """
                package demo;
                public interface Api<T> {
                    @io.idempotency.IdempotentOperation(value = "pay", key = "id") String pay(T id);
                }
                """, """
                package demo;
                @jakarta.inject.Singleton
                public class Payments implements Api<String> {
                    @Override public String pay(String orderNumber) { return "ran unprotected"; }
                }
                """)).isEqualTo("pay o-1");
    }

    @Test
    void aKeyParameterOfAnInterfaceIsTheKeyOfItsImplementation() {
        assertThat(call("Payments", "pay", "o-1", """
                package demo;
                import io.idempotency.*;
                public interface Api { @IdempotentOperation("pay") String pay(@IdempotencyKey String id); }
                """, """
                package demo;
                @jakarta.inject.Singleton
                public class Payments implements Api {
                    @Override public String pay(String orderNumber) { return "ran unprotected"; }
                }
                """)).isEqualTo("pay o-1");
    }

    @Test
    void aMethodInheritedFromAGenericClassIsProtectedInEveryBean() {
        assertThat(call("Payments", "pay", "o-1", """
                package demo;
                public abstract class Base<T extends CharSequence> {
                    @io.idempotency.IdempotentOperation(value = "pay", key = "id")
                    public String pay(T id) { return "ran unprotected"; }
                }
                """, """
                package demo;
                @jakarta.inject.Singleton
                public class Payments extends Base<String> {
                    public String pay(String id) { return super.pay(id); }
                }
                """)).isEqualTo("pay o-1");
    }

    @Test
    void anInheritedMethodThatIsNotOverriddenIsProtectedToo() {
        assertThat(call("Payments", "pay", "o-1", """
                package demo;
                public abstract class Base {
                    @io.idempotency.IdempotentOperation(value = "pay", key = "id")
                    public String pay(String id) { return "ran unprotected"; }
                }
                """, """
                package demo;
                @jakarta.inject.Singleton
                public class Payments extends Base {}
                """)).isEqualTo("pay o-1");
    }

    @Test
    void everyOverloadHasItsOwnDefinition() {
        assertThat(call("Payments", "pay", "o-1", """
                package demo;
                import io.idempotency.*;
                @jakarta.inject.Singleton
                public class Payments {
                    @IdempotentOperation("pay-number") public String pay(@IdempotencyKey int id) { return "wrong"; }
                    @IdempotentOperation("pay-text") public String pay(@IdempotencyKey String id) { return "wrong"; }
                    @IdempotentOperation("pay-both") public String pay(@IdempotencyKey String id, int n) { return "wrong"; }
                }
                """)).isEqualTo("pay-text o-1");
    }

    @Test
    void anApplicationsOwnAnnotationCarriesTheOperation() {
        assertThat(call("Payments", "pay", "o-1", """
                package demo;
                import java.lang.annotation.*;
                import io.idempotency.*;
                @Retention(RetentionPolicy.RUNTIME)
                @IdempotentOperation(key = "id", retention = "30d", onFailure = OnFailure.RELEASE)
                public @interface PaymentOperation {
                    @io.micronaut.context.annotation.AliasFor(annotation = IdempotentOperation.class, member = "value")
                    String value();
                }
                """, """
                package demo;
                @jakarta.inject.Singleton
                public class Payments {
                    @PaymentOperation("pay") public String pay(String id) { return "ran unprotected"; }
                }
                """)).isEqualTo("pay o-1");
    }

    @Test
    void aDeclarativeClientIsProtected() {
        assertThat(call("Payments", "pay", "o-1", """
                package demo;
                import io.idempotency.*;
                @io.micronaut.http.client.annotation.Client("/")
                public interface Payments {
                    @io.micronaut.http.annotation.Post("/a") @IdempotentOperation(value = "pay", key = "id") String pay(String id);
                }
                """)).isEqualTo("pay o-1");
    }

    @Test
    void anIntroductionIsProtected() {
        assertThat(call("Things", "pay", "o-1", """
                package demo;
                import java.lang.annotation.*;
                @io.micronaut.aop.Introduction
                @Retention(RetentionPolicy.RUNTIME)
                public @interface Repository {}
                """, """
                package demo;
                @Repository
                public interface Things {
                    @io.idempotency.IdempotentOperation(value = "pay", key = "id") String pay(String id);
                }
                """)).isEqualTo("pay o-1");
    }

    @Test
    void aBeanOfAFactoryIsProtected() {
        assertThat(call("Payments", "pay", "o-1", """
                package demo;
                public class Payments {
                    @io.idempotency.IdempotentOperation(value = "pay", key = "id")
                    public String pay(String id) { return "ran unprotected"; }
                }
                """, """
                package demo;
                @io.micronaut.context.annotation.Factory
                class Beans {
                    @jakarta.inject.Singleton Payments payments() { return new Payments(); }
                }
                """)).isEqualTo("pay o-1");
    }

    @Test
    void otherMethodsOfAFactorysBeanRunAsTheyAre() {
        assertThat(call("Payments", "other", "o-1", """
                package demo;
                public class Payments {
                    @io.idempotency.IdempotentOperation public String pay(String id) { return id; }
                    public String other(String id) { return "ran " + id; }
                }
                """, """
                package demo;
                @io.micronaut.context.annotation.Factory
                class Beans {
                    @jakarta.inject.Singleton Payments payments() { return new Payments(); }
                }
                """)).isEqualTo("ran o-1");
    }

    @Test
    void aCallFromInsideTheBeanIsProtectedBecauseTheBeanIsItsOwnProxy() {
        assertThat(call("Payments", "payAll", "o-1", """
                package demo;
                @jakarta.inject.Singleton
                public class Payments {
                    @io.idempotency.IdempotentOperation(value = "pay", key = "id")
                    public String pay(String id) { return "ran unprotected"; }
                    public String payAll(String id) { return this.pay(id); }
                }
                """)).isEqualTo("pay o-1");
    }

    @Test
    void aCallFromInsideAFactorysBeanPassesItsProxyByWhichIsWhyTheCompilerWarns() {
        assertThat(call("Payments", "payAll", "o-1", """
                package demo;
                public class Payments {
                    @io.idempotency.IdempotentOperation(value = "pay", key = "id")
                    public String pay(String id) { return "ran unprotected"; }
                    public String payAll(String id) { return this.pay(id); }
                }
                """, """
                package demo;
                @io.micronaut.context.annotation.Factory
                class Beans {
                    @jakarta.inject.Singleton Payments payments() { return new Payments(); }
                }
                """)).isEqualTo("ran unprotected");
    }

    @Test
    void aNestedBeanIsProtected() {
        assertThat(call("Outer$Payments", "pay", "o-1", """
                package demo;
                public class Outer {
                    @jakarta.inject.Singleton
                    public static class Payments {
                        @io.idempotency.IdempotentOperation(value = "pay", key = "id")
                        public String pay(String id) { return "ran unprotected"; }
                    }
                }
                """)).isEqualTo("pay o-1");
    }

    private static Object call(String bean, String method, String argument, String... sources) {
        List<String> all = new ArrayList<>(List.of(sources));
        all.add(Recorder.SOURCE);
        return Recorder.call(Compilation.of(all.toArray(String[]::new)).load(), bean, method, argument);
    }
}
