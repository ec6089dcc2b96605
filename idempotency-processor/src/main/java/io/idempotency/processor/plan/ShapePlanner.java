package io.idempotency.processor.plan;

import io.idempotency.processor.model.Accessors;
import io.idempotency.processor.model.Accessors.Accessor;
import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.Code;
import io.idempotency.processor.model.Subtypes;
import io.idempotency.processor.model.Subtypes.Subtype;
import io.idempotency.processor.model.Unreadable;
import io.idempotency.processor.plan.Shape.Structure;
import io.micronaut.inject.ast.ClassElement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Finds the shapes of one method's arguments, each structure once, and says what has none. */
final class ShapePlanner {

    private static final String HTTP_REQUEST = "io.micronaut.http.HttpRequest";

    private static final Code BODY = Code.of("$1L.getBody()");

    private final String fromPackage;
    private final SkippedTypes skipped;
    private final Subtypes subtypes;
    private final Predicate<ClassElement> own;
    private final Map<String, State> states;
    private final Map<String, Shape> known = new HashMap<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> open = new ArrayList<>();
    private final List<String> generated = new ArrayList<>();
    private final List<String> subclassed = new ArrayList<>();
    private final ContainerPlanner containers = new ContainerPlanner(this);
    private int depth;
    private boolean endless;

    ShapePlanner(
            String fromPackage,
            SkippedTypes skipped,
            Subtypes subtypes,
            Predicate<ClassElement> own,
            Map<String, State> states) {
        this.fromPackage = fromPackage;
        this.states = states;
        this.skipped = skipped;
        this.subtypes = subtypes;
        this.own = own;
    }

    /**
     * The shape of a parameter, whose problems are reported on their own.
     *
     * @return empty after a problem was noted, and for a type that is not fingerprinted
     */
    Optional<Shape> parameter(BoundType type, String path) {
        return skipped.contains(type) ? body(type, path) : plan(type, path);
    }

    /** Of a request, what its declared body holds. */
    private Optional<Shape> body(BoundType type, String path) {
        return type.as(HTTP_REQUEST)
                .flatMap(request -> request.argument(0))
                .filter(body -> !body.is("java.lang.Object") && !body.is("java.lang.Void") && !skipped.contains(body))
                .flatMap(body -> plan(body, path + ".body"))
                .map(body -> ContainerPlanner.optional(type, body, BODY));
    }

    /** What cannot be fingerprinted, as far as it was not taken yet. */
    List<String> takeProblems() {
        endless = false;
        return taken(problems);
    }

    /** What is left to the run time. */
    List<String> takeOpen() {
        return taken(open);
    }

    /** What is set when an entity is stored. */
    List<String> takeGenerated() {
        return taken(generated);
    }

    /** What has subclasses. */
    List<String> takeSubclassed() {
        return taken(subclassed);
    }

    private static List<String> taken(List<String> messages) {
        List<String> taken = List.copyOf(messages);
        messages.clear();
        return taken;
    }

    /**
     * The shape of a type.
     *
     * @param type the type
     * @param path the way to it, for messages
     * @return empty after a problem was noted
     */
    Optional<Shape> plan(BoundType type, String path) {
        if (endless) {
            return Optional.empty();
        }
        if (depth == BoundType.MAX_DEPTH) {
            // said once, about the parameter: everything else on the way would be the same again
            endless = true;
            problems.clear();
            return problem(path.split("[.\\[(]", 2)[0], type, Unfingerprintable.ENDLESS);
        }
        depth++;
        try {
            return Unreadable.or(
                    () -> type.component() == null ? single(type, path) : array(type, type.component(), path),
                    why -> problem(path, type, why + ", or mark it @NotFingerprinted."));
        } finally {
            depth--;
        }
    }

    private Optional<Shape> array(BoundType type, BoundType component, String path) {
        return leaf(type).or(() -> containers.elements(type, component, path));
    }

    private Optional<Shape> single(BoundType type, String path) {
        if (!type.isPrimitive() && !Accessors.isVisible(type.element(), fromPackage)) {
            return problem(path, type, Unfingerprintable.invisible(fromPackage));
        }
        return leaf(type).or(() -> type.element().isRecord() ? structure(type, path) : containers.plan(type, path));
    }

    private static Optional<Shape> leaf(BoundType type) {
        return Scalars.of(type).map(scalar -> new Shape.Leaf(type, scalar.write()));
    }

    /** The shape of what is neither a scalar nor a container. */
    Optional<Shape> structure(BoundType type, String path) {
        Shape planned = known.get(type.sourceName());
        if (planned != null) {
            return Optional.of(planned);
        }
        List<Subtype> alternatives = subtypes.of(type);
        return alternatives.isEmpty() ? closed(type, path, false) : oneOf(type, alternatives, path);
    }

    private Optional<Shape> oneOf(BoundType type, List<Subtype> subtypes, String path) {
        Shape.OneOf oneOf = new Shape.OneOf(type);
        known.put(type.sourceName(), oneOf);
        Set<String> names = new HashSet<>();
        for (Subtype subtype : subtypes) {
            String name =
                    names.add(subtype.name()) ? subtype.name() : subtype.type().name();
            alternative(subtype.type(), path + "(" + name + ")")
                    .ifPresent(shape -> oneOf.alternatives().add(new Shape.Alternative(name, shape)));
        }
        return Optional.of(oneOf);
    }

    /** A sealed class that is concrete is an alternative of its own. */
    private Optional<Shape> alternative(BoundType type, String path) {
        if (!Accessors.isVisible(type.element(), fromPackage)) {
            return problem(path, type, Unfingerprintable.invisible(fromPackage));
        }
        Shape planned = known.get(type.sourceName());
        return planned instanceof Structure ? Optional.of(planned) : leaf(type).or(() -> closed(type, path, true));
    }

    private Optional<Shape> closed(BoundType type, String path, boolean named) {
        Optional<String> never = Unfingerprintable.never(type);
        Optional<String> why = never.isPresent() ? Optional.empty() : OpenTypes.why(type);
        if (why.isPresent()) {
            return open(type, path, why.get());
        }
        State state = states.computeIfAbsent(type.sourceName(), name -> State.of(type, fromPackage));
        List<Accessor> accessors = state.readable();
        List<Accessor> counting = accessors.stream()
                .filter(each -> !each.notFingerprinted() && !skipped.contains(each.type()))
                .sorted(Comparator.comparing(Accessor::written))
                .toList();
        Optional<String> reason = never.or(() -> own.test(type.element())
                        ? Unfingerprintable.state(type, state, named)
                        : Unfingerprintable.foreignState(path, type, state, named))
                .or(() -> WrittenNames.problem(counting))
                .or(() -> counting.stream()
                        .flatMap(each -> AbsentValue.of(each.name(), each.type(), each.absent()).stream())
                        .flatMap(each -> Optional.ofNullable(each.problem()).stream())
                        .findFirst());
        if (reason.isPresent()) {
            return problem(path, type, reason.get());
        }
        List<String> below = subtypes.unnamed(type.element());
        if (!below.isEmpty()) {
            subclassed.add(
                    "'" + path + "' of type " + type.erasure() + " has the subclasses " + String.join(", ", below)
                            + ", and a value of one is refused before the body: what it adds would not be compared. Make "
                            + type.erasure() + " final or sealed, or name its subclasses in @JsonSubTypes.");
        }
        Structure structure = new Structure(type);
        known.putIfAbsent(type.sourceName(), structure);
        Set<String> set = GeneratedProperties.of(state);
        for (Accessor accessor : counting) {
            if (set.contains(accessor.name())) {
                generated.add(GeneratedProperties.message(path + "." + accessor.name()));
            }
            plan(accessor.type(), path + "." + accessor.name())
                    .ifPresent(shape -> structure
                            .properties()
                            .add(new Shape.Property(
                                    accessor.written(),
                                    accessor.code(),
                                    shape,
                                    AbsentValue.of(accessor.name(), accessor.type(), accessor.absent())
                                            .map(AbsentValue::present))));
        }
        return Optional.of(structure);
    }

    private Optional<Shape> open(BoundType type, String path, String why) {
        open.add("'" + path + "' of type " + type.erasure() + ": " + why + ", so its value is written as JSON at run"
                + " time. That is slower, two values of the same JSON are the same, and a value that the JSON mapper"
                + " cannot write is refused before the body runs. Declare a closed type, name all subtypes in"
                + " @JsonSubTypes (a sealed type of Kotlin too, whose stubs are not sealed), or mark it"
                + " @NotFingerprinted.");
        return Optional.of(new Shape.Leaf(type, Code.of("writer.open($1L)")));
    }

    /** Notes why there is no shape. */
    Optional<Shape> problem(String path, BoundType type, String reason) {
        problems.add("'" + path + "' of type " + type.erasure() + " cannot be fingerprinted: " + reason);
        return Optional.empty();
    }
}
