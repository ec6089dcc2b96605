package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Payments;
import io.idempotency.processor.compile.Written;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

class HierarchyFingerprintTest {

    @Test
    void aSealedTypeIsWrittenWithTheNameOfItsSubtype() {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(Means means) {}
                sealed interface Means permits Card, Cash, Digital {}
                record Card(String number) implements Means {}
                enum Cash implements Means { COINS, NOTES }
                sealed interface Digital extends Means permits Wallet {}
                record Wallet(String number) implements Digital {}
                """);
        Object card = payments.create("demo.Payments$Card", "1");
        Object wallet = payments.create("demo.Payments$Wallet", "1");
        Object notes = payments.constant("demo.Payments$Cash", "NOTES");

        assertThat(payments.fingerprint(card)).isEqualTo(Written.by(writer -> {
            writer.name("means");
            writer.subtype("Card");
            writer.begin();
            writer.name("number");
            writer.text("1");
            writer.end();
        }));
        assertThat(payments.fingerprint(wallet)).isNotEqualTo(payments.fingerprint(card));
        assertThat(payments.fingerprint(notes)).isEqualTo(Written.by(writer -> {
            writer.name("means");
            writer.subtype("Cash");
            writer.constant((Enum<?>) notes);
        }));
    }

    @Test
    void theMoreSpecialSubtypeIsTriedFirst() {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(Base base) {}
                static sealed class Base permits Middle, Leaf {
                    public String getA() { return "a"; }
                }
                static sealed class Middle extends Base permits Leaf2 {
                    public String getB() { return "b"; }
                }
                static final class Leaf extends Base {}
                static final class Leaf2 extends Middle {
                    public Base getNext() { return null; }
                }
                """);

        assertThat(List.of("Base", "Middle", "Leaf", "Leaf2"))
                .extracting(name -> payments.fingerprint(payments.create("demo.Payments$" + name)))
                .doesNotHaveDuplicates();
    }

    /** Otherwise the order of the parameters would decide how one of them is written. */
    @Test
    void aConcreteSealedClassIsWrittenWithItsSubtypesAlsoAfterAHierarchyOfWhichItIsOne() {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(Payment a, Card b) {}
                sealed interface Payment permits Card {}
                static sealed class Card implements Payment permits Gold {
                    public String getNumber() { return "1"; }
                }
                static final class Gold extends Card {}
                """);
        Object card = payments.create("demo.Payments$Card");
        Object gold = payments.create("demo.Payments$Gold");
        assertThat(payments.fingerprint(card, gold)).isNotEqualTo(payments.fingerprint(card, card));
    }

    /** Otherwise sorting what is permitted would give one the name of the other. */
    @Test
    void subtypesOfOneNameAreWrittenAlikeInWhateverOrderTheyArePermitted() {
        String event = """
                @IdempotentOperation void handle(Event event) {}
                sealed interface Event permits %s, %s, Closed {}
                interface Order { record Created(String id) implements Event {} }
                interface Invoice { record Created(String id) implements Event {} }
                record Closed(String id) implements Event {}
                """;
        Compiled first = Payments.load(event.formatted("Order.Created", "Invoice.Created"));
        Compiled sorted = Payments.load(event.formatted("Invoice.Created", "Order.Created"));

        for (String type : List.of("Order$Created", "Invoice$Created", "Closed")) {
            assertThat(sorted.fingerprint(sorted.create("demo.Payments$" + type, "1")))
                    .isEqualTo(first.fingerprint(first.create("demo.Payments$" + type, "1")))
                    .isEqualTo(Written.by(writer -> {
                        writer.name("event");
                        writer.subtype(type.equals("Closed") ? type : "demo.Payments$" + type);
                        writer.begin();
                        writer.name("id");
                        writer.text("1");
                        writer.end();
                    }));
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void aCollectionThatIsOneOfAHierarchyIsWrittenWithItsElements() {
        Compiled payments = Payments.load("""
                @IdempotentOperation void ship(Selection what) {}
                sealed interface Selection permits All, Items {}
                record All() implements Selection {}
                static final class Items extends LinkedHashSet<String> implements Selection {
                    private static final long serialVersionUID = 1;
                }
                """);
        Object items = payments.create("demo.Payments$Items");
        Object others = payments.create("demo.Payments$Items");
        ((Collection<Object>) items).add("a");
        ((Collection<Object>) others).add("b");
        assertThat(payments.fingerprint(items)).isNotEqualTo(payments.fingerprint(others));
    }

    @Test
    void recursiveAndGenericHierarchiesAreWritten() {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(Tree<Line> tree) {}
                record Line(String sku) {}
                sealed interface Tree<T> permits Leaf, Branch {}
                record Leaf<V>(V value) implements Tree<V> {}
                record Branch<X>(List<Tree<X>> branches) implements Tree<X> {}
                """);
        Object leaf = payments.create("demo.Payments$Leaf", payments.create("demo.Payments$Line", "s"));
        Object tree = payments.create("demo.Payments$Branch", List.of(leaf));

        assertThat(payments.fingerprint(tree)).isEqualTo(Written.by(writer -> {
            writer.name("tree");
            writer.subtype("Branch");
            writer.begin();
            writer.name("branches");
            writer.list(List.of("s"), (sku, to) -> {
                to.subtype("Leaf");
                to.begin();
                to.name("value");
                to.begin();
                to.name("sku");
                to.text(sku);
                to.end();
                to.end();
            });
            writer.end();
        }));
    }

    @Test
    void theSubtypesThatJacksonIsToldOfAreWrittenAndAnyOtherIsRefusedBeforeTheBody() {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(Means means) {}
                @com.fasterxml.jackson.annotation.JsonSubTypes({
                    @com.fasterxml.jackson.annotation.JsonSubTypes.Type(value = Card.class, name = "card"),
                    @com.fasterxml.jackson.annotation.JsonSubTypes.Type(Cash.class)})
                interface Means {}
                record Card(String number) implements Means {}
                record Cash(int notes) implements Means {}
                record Cheque(String bank) implements Means {}
                """);

        assertThat(payments.fingerprint(payments.create("demo.Payments$Card", (Object) null)))
                .isEqualTo(Written.by(writer -> {
                    writer.name("means");
                    writer.subtype("card");
                    writer.begin();
                    writer.end();
                }));
        assertThat(payments.fingerprint(payments.create("demo.Payments$Cash", 1)))
                .isNotEmpty();
        assertThatThrownBy(() -> payments.fingerprint(payments.create("demo.Payments$Cheque", "b")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("demo.Payments$Cheque is none of the known subtypes of demo.Payments.Means")
                .hasMessageContaining("The body did not run. Add it to @JsonSubTypes");
    }

    @Test
    void aSubtypeWithoutStateIsWrittenAsItsName() {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(Means means) {}
                sealed interface Means permits Cash, Voucher {}
                static final class Cash implements Means {}
                static final class Voucher implements Means {}
                """);

        assertThat(payments.fingerprint(payments.create("demo.Payments$Cash")))
                .isEqualTo(Written.by(writer -> {
                    writer.name("means");
                    writer.subtype("Cash");
                    writer.begin();
                    writer.end();
                }))
                .isNotEqualTo(payments.fingerprint(payments.create("demo.Payments$Voucher")));
    }

    @Test
    void aSealedTypeWithAnOpenBranchIsReportedWithThePathToIt() {
        assertThat(Compilation.of(Payments.with("""
                @IdempotentOperation void pay(Means means) {}
                sealed interface Means permits Card, Other {}
                record Card(String number) implements Means {}
                non-sealed interface Other extends Means {}
                """)).warnings())
                .singleElement()
                .asString()
                .contains("'means(Other)' of type demo.Payments.Other: it is abstract");
    }

    @Test
    void aSubtypeOfOtherTypeArgumentsThanTheParametersIsNone() {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(Event<Order> event) {}
                sealed interface Event<T> permits Placed, Paid, Moved {}
                record Placed(Order order) implements Event<Order> {}
                record Paid(Pay pay) implements Event<Pay> {}
                record Moved<T>(T what) implements Event<T> {}
                record Order(String id) {}
                record Pay(Thread notFingerprintable) {}
                """);
        Object order = payments.create("demo.Payments$Order", "1");
        assertThat(payments.fingerprint(payments.create("demo.Payments$Placed", order)))
                .isNotEqualTo(payments.fingerprint(payments.create("demo.Payments$Moved", order)));
        assertThatThrownBy(() -> payments.fingerprint(payments.create("demo.Payments$Paid", (Object) null)))
                .hasMessageContaining("is none of the known subtypes");
    }

    @Test
    void aSubtypeWhoseTypeArgumentsTheCompilerCannotTellApartStays() {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(Event<Comparable<String>> event) {}
                sealed interface Event<T> permits Placed, Counted {}
                record Placed(String id) implements Event<Comparable<String>> {}
                record Counted(int n) implements Event<Integer> {}
                """);
        assertThat(payments.fingerprint(payments.create("demo.Payments$Placed", "1")))
                .isNotEqualTo(payments.fingerprint(payments.create("demo.Payments$Counted", 1)));
    }
}
