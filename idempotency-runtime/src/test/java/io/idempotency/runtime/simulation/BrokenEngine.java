package io.idempotency.runtime.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.LongFunction;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.pool.TypePool;

/** Engine and simulation once more, with one method of the engine broken. */
final class BrokenEngine extends ClassLoader {

    private static final String ENGINE = "io.idempotency.runtime.engine.";
    private static final String SIMULATION = "io.idempotency.runtime.simulation.";

    private final String broken;
    private final String method;
    private final Implementation instead;

    private BrokenEngine(String broken, String method, Implementation instead) {
        super(BrokenEngine.class.getClassLoader());
        this.broken = ENGINE + broken;
        this.method = method;
        this.instead = instead;
    }

    /**
     * Breaks a method.
     *
     * @param type the binary name of a class of the engine, without its package
     * @param method its name
     * @param instead what it does
     * @return runs a seed, and says which promises were broken
     */
    @SuppressWarnings("unchecked") // it is the same interface in both worlds
    static LongFunction<List<String>> with(String type, String method, Implementation instead) {
        try {
            return (LongFunction<List<String>>) new BrokenEngine(type, method, instead)
                    .loadClass(SIMULATION + "BrokenEngine$Runs")
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What is made in the other world. */
    public static final class Runs implements LongFunction<List<String>> {
        /** For the other world. */
        public Runs() {}

        @Override
        public List<String> apply(long seed) {
            return Simulation.run(seed, Sabotage.NONE, false).broken();
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(ENGINE) && !name.startsWith(SIMULATION)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = name.equals(broken) ? broken() : bytes(name);
        return defineClass(name, bytes, 0, bytes.length, BrokenEngine.class.getProtectionDomain());
    }

    private byte[] broken() {
        ClassFileLocator locator = ClassFileLocator.ForClassLoader.of(getParent());
        var matcher = ElementMatchers.<MethodDescription>named(method);
        var type = TypePool.Default.of(locator).describe(broken).resolve();
        if (type.getDeclaredMethods().filter(matcher).isEmpty()) {
            throw new IllegalArgumentException(broken + " has no method " + method);
        }
        return new ByteBuddy()
                .redefine(type, locator)
                .method(matcher)
                .intercept(instead)
                .make()
                .getBytes();
    }

    private byte[] bytes(String name) throws ClassNotFoundException {
        try (InputStream bytes = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return bytes.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
