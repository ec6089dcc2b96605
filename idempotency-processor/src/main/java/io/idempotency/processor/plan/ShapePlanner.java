package io.idempotency.processor.plan;

import io.idempotency.processor.model.Accessors;
import io.idempotency.processor.model.Accessors.Accessor;
import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.Code;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.model.Subtypes;
import io.idempotency.processor.model.Subtypes.Subtype;
import io.idempotency.processor.model.Unreadable;
import io.idempotency.processor.plan.Shape.Property;
import io.idempotency.processor.plan.Shape.Structure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the shapes of one method's arguments, each structure once, and says what has none. */
final class ShapePlanner {

    /** How the optionals of numbers are read and written. */
    private static final Map<String, Code> OPTIONALS = Map.of(
            "java.util.OptionalInt", Code.of("$1L.getAsInt()"),
            "java.util.OptionalLong", Code.of("$1L.getAsLong()"),
            "java.util.OptionalDouble", Code.of("$1L.getAsDouble()"));

    private final String fromPackage;
    private final SkippedTypes skipped;
    private final Subtypes subtypes;
    private final Map<String, State> states;
    private final Map<String, Shape> known = new HashMap<>();
    private final List<Finding> findings = new ArrayList<>();
    private int depth;
    private boolean endless;

    ShapePlanner(String fromPackage, SkippedTypes skipped, Subtypes subtypes, Map<String, State> states) {
        this.fromPackage = fromPackage;
        this.states = states;
        this.skipped = skipped;
        this.subtypes = subtypes;
    }

    record Finding(RuleId id, String message) {}

    /** What was found since the last call. */
    List<Finding> takeFindings() {
        endless = false;
        List<Finding> taken = List.copyOf(findings);
        findings.clear();
        return taken;
    }

    void unfingerprintable(String message) {
        findings.add(new Finding(RuleId.UNFINGERPRINTABLE_ARGUMENT, message));
    }

    /** How a parameter is written; empty after a problem was noted, and for a type that is not fingerprinted. */
    Optional<Property> parameter(Accessor value) {
        BoundType type = value.type();
        Optional<Shape> shape = skipped.contains(type) ? body(type, value.name()) : plan(type, value.name());
        return shape.map(it -> property(value, it));
    }

    private static Property property(Accessor value, Shape shape) {
        return new Property(value.written(), value.code(), shape, AbsentValue.present(value));
    }

    /** Of a request, what its declared body holds. */
    private Optional<Shape> body(BoundType type, String path) {
        return type.as("io.micronaut.http.HttpRequest")
                .flatMap(request -> request.argument(0))
                .filter(body -> !body.is("java.lang.Object") && !body.is("java.lang.Void") && !skipped.contains(body))
                .flatMap(body -> plan(body, path + ".body"))
                .map(body -> optional(type, body, Code.of("$1L.getBody()")));
    }

    /** The shape of a type; the path leads to it in messages. Empty after a problem was noted. */
    private Optional<Shape> plan(BoundType type, String path) {
        if (endless) {
            return Optional.empty();
        }
        if (depth == BoundType.MAX_DEPTH) {
            // said once, about the parameter: everything else on the way would be the same again
            endless = true;
            findings.removeIf(found -> found.id() == RuleId.UNFINGERPRINTABLE_ARGUMENT);
            return problem(path.split("[.\\[(]", 2)[0], type, Unfingerprintable.ENDLESS);
        }
        depth++;
        try {
            return Unreadable.or(
                    () -> step(type, path), why -> problem(path, type, why + ", or mark it @NotFingerprinted."));
        } finally {
            depth--;
        }
    }

    private Optional<Shape> step(BoundType type, String path) {
        BoundType component = type.component();
        if (component == null && !type.isPrimitive() && !Accessors.isVisible(type.element(), fromPackage)) {
            return problem(path, type, Unfingerprintable.invisible(fromPackage));
        }
        Optional<Shape> leaf = leaf(type);
        if (leaf.isPresent()) {
            return leaf;
        }
        if (component != null) {
            return elements(type, component, path);
        }
        return type.element().isRecord() ? structure(type, path) : container(type, path);
    }

    private static Optional<Shape> leaf(BoundType type) {
        return Scalars.of(type).map(scalar -> new Shape.Leaf(type, scalar.write()));
    }

    private Optional<Shape> container(BoundType type, String path) {
        Optional<JsonApi> json = JsonApi.of(type);
        if (json.isPresent()) {
            return Optional.of(new Shape.Json(type, json.get()));
        }
        if (type.isAssignable("java.lang.CharSequence")) {
            return Optional.of(new Shape.Leaf(type, Code.of("writer.text($1L)")));
        }
        if (type.is("java.util.Optional")) {
            return plan(type.argument(0).orElseThrow(), path).map(value -> optional(type, value, Code.VALUE));
        }
        if (OPTIONALS.containsKey(type.name())) {
            String write = type.is("java.util.OptionalDouble") ? "writer.real($1L)" : "writer.integer($1L)";
            Shape number = new Shape.Leaf(type, Code.of(write));
            return Optional.of(new Shape.Maybe(type, number, Code.VALUE, OPTIONALS.get(type.name())));
        }
        Optional<BoundType> map = type.as("java.util.Map");
        boolean isCollection = type.isAssignable("java.util.Collection");
        List<String> besides = map.isPresent() || isCollection ? Accessors.besidesElements(type) : List.of();
        if (!besides.isEmpty()) {
            return problem(path, type, Unfingerprintable.besides(besides));
        }
        if (map.isPresent()) {
            Optional<Shape> key = plan(map.get().argument(0).orElseThrow(), path + ".key");
            Optional<Shape> value = plan(map.get().argument(1).orElseThrow(), path + ".value");
            return key.flatMap(k -> value.map(v -> new Shape.Entries(type, k, v)));
        }
        return isCollection || type.is("java.lang.Iterable")
                ? elements(
                        type,
                        type.as("java.lang.Iterable")
                                .flatMap(it -> it.argument(0))
                                .orElseThrow(),
                        path)
                : structure(type, path);
    }

    private Optional<Shape> elements(BoundType type, BoundType element, String path) {
        boolean isList = type.component() != null || type.isAssignable("java.util.List");
        String unordered = type.isAssignable("java.util.Set") ? "set" : "elements";
        return plan(element, path + "[]").map(shape -> new Shape.Elements(type, shape, isList ? "list" : unordered));
    }

    /** The shape of what is or has an optional. */
    private static Shape optional(BoundType type, Shape value, Code optional) {
        Code get = optional.then(Code.of("$1L.get()")).as(value.type());
        return new Shape.Maybe(type, value, optional, get);
    }

    /** The shape of what is neither a scalar nor a container. */
    private Optional<Shape> structure(BoundType type, String path) {
        Shape planned = known.get(type.sourceName());
        if (planned != null) {
            return Optional.of(planned);
        }
        List<Subtype> alternatives = subtypes.of(type);
        return alternatives.isEmpty() ? closed(type, path, false) : oneOf(type, alternatives, path);
    }

    private Optional<Shape> oneOf(BoundType type, List<Subtype> subtypes, String path) {
        Shape.OneOf oneOf = new Shape.OneOf(type, new ArrayList<>());
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

    /** The shape of a type that is written by its properties, after its name where it is one of several. */
    private Optional<Shape> closed(BoundType type, String path, boolean named) {
        Optional<String> never = Unfingerprintable.never(type);
        Optional<String> open = never.isPresent() ? Optional.empty() : Unfingerprintable.open(type);
        if (open.isPresent()) {
            findings.add(new Finding(RuleId.OPEN_ARGUMENT, Unfingerprintable.openMessage(path, type, open.get())));
            return Optional.of(new Shape.Leaf(type, Code.of("writer.open($1L)")));
        }
        State state = states.computeIfAbsent(type.sourceName(), name -> State.of(type, fromPackage));
        List<Accessor> counting = state.readable().stream()
                .filter(each -> !each.notFingerprinted() && !skipped.contains(each.type()))
                .sorted(Comparator.comparing(Accessor::written))
                .toList();
        WrittenNames names = new WrittenNames();
        Optional<String> reason = never.or(
                        () -> Unfingerprintable.state(path, type, state, named, subtypes.isCompiled(type.element())))
                .or(() -> Stream.concat(
                                counting.stream().flatMap(each -> names.problem(each).stream()),
                                counting.stream().flatMap(each -> AbsentValue.problem(each).stream()))
                        .findFirst());
        if (reason.isPresent()) {
            return problem(path, type, reason.get());
        }
        List<String> below = subtypes.unnamed(type.element());
        if (!below.isEmpty()) {
            findings.add(new Finding(
                    RuleId.SUBCLASSED_ARGUMENT,
                    "'" + path + "' of type " + type.erasure() + " has the subclasses " + String.join(", ", below)
                            + ", and a value of one is refused before the body: what it adds would not be compared."
                            + " Make "
                            + type.erasure() + " final or sealed, or name its subclasses in @JsonSubTypes."));
        }
        Structure structure = new Structure(type, new ArrayList<>());
        known.putIfAbsent(type.sourceName(), structure);
        Set<String> generated = SkippedTypes.generated(state);
        for (Accessor accessor : counting) {
            String child = path + "." + accessor.name();
            if (generated.contains(accessor.name())) {
                findings.add(new Finding(RuleId.GENERATED_PROPERTY, SkippedTypes.generatedMessage(child)));
            }
            plan(accessor.type(), child)
                    .ifPresent(shape -> structure.properties().add(property(accessor, shape)));
        }
        return Optional.of(structure);
    }

    private Optional<Shape> problem(String path, BoundType type, String reason) {
        unfingerprintable("'" + path + "' of type " + type.erasure() + " cannot be fingerprinted: " + reason);
        return Optional.empty();
    }
}
