package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.StoreDecorator;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How deep the library is between a caller and the body, and between a caller and the store that knows the answer. */
class FramesTest {

    private static final int MOST = 8;

    /** Frames of the library, the innermost first. */
    private static List<String> ours() {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(frame -> frame.getClassName() + "." + frame.getMethodName())
                        .filter(name -> name.startsWith("io.idempotency."))
                        .filter(name -> !name.contains(FramesTest.class.getSimpleName()))
                        .toList());
    }

    /** The operation. */
    @Singleton
    @Requires(property = "test.frames")
    static class Deep {
        private volatile List<String> body = List.of();

        @IdempotentOperation(value = "deep", key = "key")
        public String run(String key) {
            body = ours();
            return key;
        }
    }

    /** A store that looks who asks. */
    @Singleton
    @Requires(property = "test.frames")
    static class Looking implements StoreDecorator {
        private volatile List<String> claim = List.of();

        @Override
        public IdempotencyStore decorate(IdempotencyStore store) {
            return (IdempotencyStore) Proxy.newProxyInstance(
                    FramesTest.class.getClassLoader(), new Class<?>[] {IdempotencyStore.class}, (proxy, verb, with) -> {
                        if (verb.getName().equals("equals")) {
                            return proxy == with[0];
                        } else if (verb.getName().equals("claim")) {
                            claim = ours();
                        }
                        return verb.invoke(store, with);
                    });
        }
    }

    @Test
    void aFirstCallAndAReplayTakeAtMostEightFramesEach() {
        try (ApplicationContext context =
                ApplicationContext.run(Map.of("test.frames", true, "idempotency.store", "memory"))) {
            Deep deep = context.getBean(Deep.class);
            Looking looking = context.getBean(Looking.class);
            deep.run("k");
            print("first call, to its body", deep.body);
            print("first call, to the store", looking.claim);
            deep.run("k");
            print("replay, to the store", looking.claim);
            assertThat(deep.body).hasSizeLessThanOrEqualTo(MOST);
            assertThat(looking.claim).hasSizeLessThanOrEqualTo(MOST);
        }
    }

    private static void print(String what, List<String> frames) {
        System.out.println(frames.size() + " frames of a " + what);
        frames.forEach(frame -> System.out.println("    " + frame));
    }
}
