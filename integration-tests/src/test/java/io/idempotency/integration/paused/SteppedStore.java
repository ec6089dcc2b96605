package io.idempotency.integration.paused;

import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.StoreDecorator;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Locale;

/** Every call of the store has a step before it is sent, and one before its answer is read. */
@Singleton
@Requires(property = "test.paused")
class SteppedStore implements StoreDecorator {

    private final Gate gate;

    SteppedStore(Gate gate) {
        this.gate = gate;
    }

    @Override
    public IdempotencyStore decorate(IdempotencyStore store) {
        return (IdempotencyStore) Proxy.newProxyInstance(
                SteppedStore.class.getClassLoader(),
                new Class<?>[] {IdempotencyStore.class},
                (proxy, method, arguments) -> method.getName().equals("equals")
                        ? (Object) (proxy == arguments[0])
                        : stepped(store, method, arguments));
    }

    private Object stepped(IdempotencyStore store, Method method, Object[] arguments) throws Throwable {
        String verb = method.getName().toUpperCase(Locale.ROOT);
        gate.at("BEFORE_" + verb);
        try {
            return read(verb, method.invoke(store, arguments));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Object read(String verb, Object value) {
        gate.at(value instanceof ClaimResult.Duplicate ? "AFTER_DUPLICATE" : "AFTER_" + verb);
        return value;
    }
}
