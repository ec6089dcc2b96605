package io.idempotency.processor.plan;

import io.idempotency.fingerprint.FingerprintName;
import io.idempotency.processor.model.Accessors;
import io.idempotency.processor.model.Accessors.Accessor;
import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.Code;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.OperationMethod.OperationParameter;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.model.Subtypes;
import io.idempotency.processor.model.Subtypes.Subtype;
import io.idempotency.processor.model.Unreadable;
import io.idempotency.processor.plan.Operation.Problem;
import io.idempotency.processor.plan.Shape.Property;
import io.idempotency.processor.plan.Shape.Structure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;

/** Plans the shapes of a method's arguments, each structure once, and reports types that have none. */
final class ShapePlanner {

    private static final String OPTIONAL = "java.util.Optional";

    private static final List<String> CONTAINERS =
            List.of("java.util.Collection", "java.util.Map", "java.lang.CharSequence");

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

    private record Finding(RuleId id, String message, String extended) {}

    /** Plans the parameters of a method, and adds what is wrong with them to the problems. */
    List<Property> plan(OperationMethod method, List<Problem> problems) {
        List<Property> planned = new ArrayList<>();
        Map<String, String> names = new HashMap<>();
        for (OperationParameter parameter : method.parameters()) {
            AbsentValue.problem(parameter.value()).ifPresent(this::unfingerprintable);
            if (!parameter.value().notFingerprinted()) {
                if (parameter.value().written().matches("arg\\d+")
                        && !parameter.element().hasAnnotation(FingerprintName.class)
                        && !subtypes.isCompiled(method.declaration().getDeclaringType())) {
                    unfingerprintable("'" + parameter.name() + "' is not the parameter's name: the class file of "
                            + method.declaration().getDeclaringType().getCanonicalName() + " has none, and keys and"
                            + " fingerprints need it. Compile its module with -parameters (Kotlin: -java-parameters).");
                }
                nameProblem(parameter.value(), names).ifPresent(this::unfingerprintable);
                parameter(parameter).ifPresent(planned::add);
            }
            findings.forEach(
                    found -> problems.add(new Problem(found.id(), parameter, found.message(), found.extended())));
            findings.clear();
            endless = false;
        }
        planned.sort(Comparator.comparing(Property::name));
        return planned;
    }

    /** Returns why a value cannot have its name in the fingerprint. */
    private static Optional<String> nameProblem(Accessor value, Map<String, String> taken) {
        String name = value.name();
        String written = value.written();
        if (!SourceVersion.isIdentifier(written)) {
            return Optional.of("@FingerprintName(\"" + written + "\") of '" + name
                    + "' is no name of a parameter or property. Write the former name of '" + name + "'.");
        }
        return Optional.ofNullable(taken.putIfAbsent(written, name))
                .map(other -> "'" + other + "' and '" + name + "' are both written as '" + written
                        + "', so that they cannot be told apart. Give one of them another @FingerprintName.");
    }

    private void unfingerprintable(String message) {
        findings.add(new Finding(RuleId.UNFINGERPRINTABLE_ARGUMENT, message, ""));
    }

    /** Plans a parameter; empty after a problem, and for a type that is left out. */
    private Optional<Property> parameter(OperationParameter parameter) {
        Accessor value = parameter.value();
        BoundType type = value.type();
        boolean isData = parameter.element().hasStereotype("io.micronaut.http.annotation.Body");
        Optional<Shape> shape = skipped.contains(type, isData) ? body(type, value.name()) : plan(type, value.name());
        return shape.map(it -> property(value, it));
    }

    private static Property property(Accessor value, Shape shape) {
        return new Property(value.written(), value.code(), shape, AbsentValue.present(value));
    }

    private Optional<Shape> body(BoundType type, String path) {
        return type.as("io.micronaut.http.HttpRequest")
                .flatMap(request -> request.argument(0))
                .filter(body ->
                        !body.is("java.lang.Object") && !body.is("java.lang.Void") && !skipped.contains(body, true))
                .flatMap(body -> plan(body, path + ".body"))
                .map(body -> optional(type, body, Code.of("$1L.getBody()")));
    }

    /** Plans a type; empty after a problem. Messages contain the path to the type. */
    private Optional<Shape> plan(BoundType type, String path) {
        if (endless) {
            return Optional.empty();
        }
        if (depth == BoundType.MAX_DEPTH) {
            // reports the parameter once: deeper types only repeat the problem
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
        if (component == null && !type.isPrimitive() && !BoundType.isVisible(type.element(), fromPackage)) {
            return problem(path, type, Unfingerprintable.invisible(fromPackage));
        }
        return leaf(type)
                .or(() -> component != null
                        ? elements(type, component, path)
                        : type.element().isRecord() ? structure(type, path) : container(type, path));
    }

    private static Optional<Shape> leaf(BoundType type) {
        return Scalars.of(type).map(scalar -> new Shape.Leaf(type, scalar.write()));
    }

    private Optional<Shape> container(BoundType type, String path) {
        Optional<Shape> json = Shape.Json.of(type);
        if (json.isPresent()) {
            return json;
        }
        if (type.isAssignable("java.lang.CharSequence")) {
            return Optional.of(new Shape.Leaf(type, Code.of("writer.text($1L)")));
        }
        if (type.is(OPTIONAL)) {
            return plan(type.argument(0).orElseThrow(), path).map(value -> optional(type, value, Code.VALUE));
        }
        if (type.name().startsWith(OPTIONAL)) {
            String kind = type.name().substring(OPTIONAL.length());
            Code write = Code.of(kind.equals("Double") ? "writer.real($1L)" : "writer.integer($1L)");
            Code get = Code.of("$1L.getAs" + kind + "()");
            return Optional.of(new Shape.Maybe(type, new Shape.Leaf(type, write), Code.VALUE, get));
        }
        Optional<BoundType> map = type.as("java.util.Map");
        Optional<BoundType> element = type.elements();
        List<String> besides = map.or(() -> element).isPresent() ? Accessors.besidesElements(type) : List.of();
        if (!besides.isEmpty()) {
            return problem(path, type, Unfingerprintable.besides(besides));
        }
        if (map.isPresent()) {
            Optional<Shape> key = plan(map.get().argument(0).orElseThrow(), path + ".key");
            BoundType held = map.get().argument(1).orElseThrow();
            Optional<Shape> value = skipped.isMarked(held)
                    ? Optional.of(new Shape.LeftOut(held)) // the keys count
                    : plan(held, path + ".value");
            return key.flatMap(k -> value.map(v -> new Shape.Entries(type, k, v)));
        }
        return element.isPresent() ? elements(type, element.get(), path) : structure(type, path);
    }

    private Optional<Shape> elements(BoundType type, BoundType element, String path) {
        boolean isList = type.component() != null || type.isAssignable("java.util.List");
        String unordered = type.isAssignable("java.util.Set") ? "set" : "elements";
        return plan(element, path + "[]").map(shape -> new Shape.Elements(type, shape, isList ? "list" : unordered));
    }

    private static Shape optional(BoundType type, Shape value, Code optional) {
        Code get = optional.then(Code.of("$1L.get()")).as(value.type());
        return new Shape.Maybe(type, value, optional, get);
    }

    /** Plans a type that is neither a scalar nor a container. */
    private Optional<Shape> structure(BoundType type, String path) {
        Shape planned = known.get(type.sourceName());
        List<Subtype> alternatives = planned instanceof Shape.OneOf ? List.of() : subtypes.of(type);
        if (planned != null && alternatives.isEmpty()) {
            return Optional.of(planned);
        }
        return alternatives.isEmpty() ? closed(type, path, false) : oneOf(type, alternatives, path);
    }

    private Optional<Shape> oneOf(BoundType type, List<Subtype> subtypes, String path) {
        Shape.OneOf oneOf = new Shape.OneOf(type, new ArrayList<>());
        known.put(type.sourceName(), oneOf);
        List<String> names = subtypes.stream().map(Subtype::name).toList();
        for (Subtype subtype : subtypes) {
            // all that share a name: which of them comes first may change
            boolean isShared = Collections.frequency(names, subtype.name()) > 1;
            String name = isShared ? subtype.type().name() : subtype.name();
            alternative(subtype.type(), path + "(" + name + ")")
                    .ifPresent(shape -> oneOf.alternatives().add(new Shape.Alternative(name, shape)));
        }
        return Optional.of(oneOf);
    }

    /** Plans one type of a hierarchy. A concrete sealed class is also an alternative of its own. */
    private Optional<Shape> alternative(BoundType type, String path) {
        if (!BoundType.isVisible(type.element(), fromPackage)) {
            return problem(path, type, Unfingerprintable.invisible(fromPackage));
        }
        Shape planned = known.get(type.sourceName());
        boolean isContainer =
                type.isAssignableToAny(CONTAINERS) && !type.element().isRecord();
        return planned instanceof Structure
                ? Optional.of(planned)
                : leaf(type).or(() -> isContainer ? container(type, path) : closed(type, path, true));
    }

    /** Plans a type that is written by its properties, and by its name if it is one of several. */
    private Optional<Shape> closed(BoundType type, String path, boolean named) {
        Optional<String> never = Unfingerprintable.never(type);
        Optional<String> open = never.isPresent() ? Optional.empty() : Unfingerprintable.open(type);
        if (open.isPresent()) {
            findings.add(new Finding(RuleId.OPEN_ARGUMENT, Unfingerprintable.openMessage(path, type, open.get()), ""));
            return Optional.of(new Shape.Leaf(type, Code.of("writer.open($1L)")));
        }
        State state = states.computeIfAbsent(type.sourceName(), name -> State.of(type, fromPackage));
        List<Accessor> counting = state.readable().stream()
                .filter(each -> !each.notFingerprinted() && !skipped.contains(each.type(), true))
                .sorted(Comparator.comparing(Accessor::written))
                .toList();
        Map<String, String> names = new HashMap<>();
        Optional<String> reason = never.or(
                        () -> Unfingerprintable.state(path, type, state, named, subtypes.isCompiled(type.element())))
                .or(() -> Stream.concat(
                                counting.stream().flatMap(each -> nameProblem(each, names).stream()),
                                counting.stream().flatMap(each -> AbsentValue.problem(each).stream()))
                        .findFirst());
        if (reason.isPresent()) {
            return problem(path, type, reason.get());
        }
        if (subtypes.isExtensible(type.element())) {
            findings.add(
                    new Finding(RuleId.SUBCLASSED_ARGUMENT, "'" + path + "' of type " + type.erasure(), type.name()));
        }
        Structure structure = new Structure(type, new ArrayList<>());
        known.putIfAbsent(type.sourceName(), structure);
        Set<String> generated = SkippedTypes.generated(state);
        for (Accessor accessor : counting) {
            String child = path + "." + accessor.name();
            if (generated.contains(accessor.name())) {
                findings.add(new Finding(RuleId.GENERATED_PROPERTY, SkippedTypes.generatedMessage(child), ""));
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
