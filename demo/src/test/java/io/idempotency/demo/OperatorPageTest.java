package io.idempotency.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.idempotency.runtime.IdempotencyRecords;
import io.idempotency.runtime.IdempotencyRecords.AuditEntry;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.micronaut.context.annotation.Property;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;

/** The library's page for operators in a real browser, with the demo's payments. */
@Tag("thorough")
@MicronautTest(transactional = false)
@Property(name = "demo.provider.url", value = "/provider")
class OperatorPageTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String MARKUP = "<img src=x onerror=\"document.title='run'\">";

    private static ChromeDriver browser;

    @Inject
    EmbeddedServer server;

    @Inject
    IdempotencyRecords records;

    private Shop shop;

    @BeforeAll
    static void open() {
        browser = Browser.open();
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.quit();
        }
    }

    /** Nothing is in doubt but what a test puts there. */
    @BeforeEach
    void settleAll() {
        shop = new Shop(server.getURI());
        records.list(RecordState.IN_DOUBT, null, Duration.ZERO, null, 1000)
                .records()
                .forEach(record -> records.settle(
                        record.id(),
                        new IdempotencyRecords.Decision(
                                record.fence(), AuditEntry.Outcome.FAILED, null, "test", "before a test")));
        Browser.become(browser, 1280, 800, false);
    }

    private String lose() {
        String key = UUID.randomUUID().toString();
        assertThat(pay(key, "lost").statusCode()).isEqualTo(504);
        return key;
    }

    private HttpResponse<String> pay(String key, String simulate) {
        return simulate.isEmpty()
                ? shop.pay(key, "o-1", "12.50")
                : shop.pay(key, "o-1", "12.50", "X-Simulate", simulate);
    }

    private RecordId id(String key) {
        return records.find("charge-payment", key, null).orElseThrow().id();
    }

    private void visit(String hash) {
        browser.get("about:blank");
        browser.get(server.getURI() + "/idempotency/ui" + hash);
    }

    private static void shows(String selector, String text) {
        Awaitility.await(selector + " shows " + text)
                .atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(
                                browser.findElement(By.cssSelector(selector)).getText())
                        .contains(text));
    }

    private static void click(String selector) {
        browser.findElement(By.cssSelector(selector)).click();
    }

    private static void write(String selector, String text) {
        WebElement field = browser.findElement(By.cssSelector(selector));
        field.clear();
        field.sendKeys(text);
    }

    private static void decide(String form, String outcome, String reason) {
        click(form + " [value=" + outcome + "]");
        write(form + " [name=reason]", reason);
        write(form + " [name=actor]", "anna");
    }

    @Test
    void oneRecordIsSettledWithAResultAndItsHistoryIsText() {
        String key = lose();
        visit("");
        shows("#listed", "1 record in doubt");
        shows("#doubts", "1 record in doubt, the oldest since");
        click("tbody button");
        shows("#one", "No operator has decided");
        decide("#settle", "completed", MARKUP);
        write(
                "#result",
                "{\"status\":201,\"body\":{\"id\":\"c-1\",\"orderId\":\"o-1\",\"amount\":12.50,"
                        + "\"currency\":\"EUR\",\"status\":\"CHARGED\"}}");
        click("#settle button");
        shows("#one .done", "Settled");
        shows("#history", MARKUP);
        shows("#history", "anna settled it as completed");
        assertThat(browser.findElements(By.cssSelector("#one img"))).isEmpty();
        assertThat(browser.getTitle()).isEqualTo("Idempotency records");
        HttpResponse<String> replay = pay(key, "");
        assertThat(replay.statusCode()).isEqualTo(201);
        assertThat(replay.body()).contains("\"c-1\"", "12.5");
        assertThat(replay.headers().firstValue("Idempotent-Replayed")).contains("true");
    }

    @Test
    void whatDoesNotFitIsRefusedBesideTheForm() {
        String key = lose();
        visit("#" + id(key).value());
        shows("#one", "charge-payment");
        decide("#settle", "completed", "found");
        write("#result", "{\"odd\":1}");
        click("#settle button");
        shows("#one .problem", "400");
        write("#result", "{odd");
        click("#settle button");
        shows("#one .problem", "no JSON");
        assertThat(pay(key, "").body()).contains("outcome-unknown");
    }

    @Test
    void manyAreCountedFirstAndThenSettledOneByOneWithAReason() {
        List<String> keys = List.of(lose(), lose(), lose());
        visit("");
        shows("#listed", "3 records in doubt");
        click("#many");
        write("#which [name=operation]", "refund-payment");
        click("#which button");
        shows("#counted", "No record in doubt matches");
        assertThat(browser.findElement(By.id("settle-many")).isDisplayed()).isFalse();
        write("#which [name=operation]", "charge-payment");
        click("#which button");
        shows("#counted", "3 records in doubt");
        shows("#go", "Settle 3 records");
        String later = lose();
        decide("#settle-many", "absent", "the provider was away");
        click("#go");
        shows("#counted", "3 records settled.");
        shows("#listed", "1 record in doubt");
        for (String key : keys) {
            assertThat(pay(key, "").statusCode()).isEqualTo(201);
            assertThat(records.find(id(key)).orElseThrow().audit())
                    .extracting(AuditEntry::actor, AuditEntry::reason)
                    .containsExactly(tuple("anna", "the provider was away"));
        }
        assertThat(pay(later, "").body()).contains("outcome-unknown");
    }

    @Test
    void theTimeOfTheOutageSaysWhichAreMeant() {
        lose();
        visit("");
        shows("#listed", "1 record in doubt");
        click("#many");
        browser.executeScript("document.querySelector('#which [name=until]').value = '2001-01-01T00:00'");
        click("#which button");
        shows("#counted", "No record in doubt matches");
        browser.executeScript("document.querySelector('#which [name=until]').value = '';"
                + "document.querySelector('#which [name=from]').value = '2001-01-01T00:00'");
        click("#which button");
        shows("#counted", "1 record in doubt");
    }

    @Test
    void recordsAreFoundByKeyAndByDigitsAndListedByState() {
        String key = lose();
        String paid = UUID.randomUUID().toString();
        assertThat(pay(paid, "").statusCode()).isEqualTo(201);
        visit("");
        shows("#listed", "1 record in doubt");
        write("#key", key);
        click("#search button");
        shows("#problem", "fill it in");
        write("#of", "charge-payment");
        click("#search button");
        shows("#facts", id(key).value());
        click("#one [data-close]");
        write("#key", id(key).shownDigits());
        click("#search button");
        shows("#facts", id(key).value());
        click("#one [data-close]");
        write("#key", paid);
        click("#search button");
        shows("#facts", "a result of");
        click("#one [data-close]");
        browser.executeScript("document.getElementById('state').value = 'completed'");
        write("#operation", "charge-payment");
        click("#filter button");
        shows("#listed", "completed");
        shows("tbody", id(paid).shownDigits());
    }

    @Test
    void aPersonsDataAreErasedAndARetryIsRefused() {
        String key = UUID.randomUUID().toString();
        pay(key, "");
        visit("#" + id(key).value());
        shows("#facts", "a result of");
        click("#erasure summary");
        write("#erase [name=reason]", "asked by the customer");
        write("#erase [name=actor]", "anna");
        click("#erase button");
        shows("#one .done", "Erased");
        shows("#facts", "it was erased");
        shows("#history", "anna erased its data");
        assertThat(pay(key, "").body()).contains("result-unavailable");
    }

    @Test
    void theKeyboardAloneSettlesARecord() {
        String key = lose();
        visit("");
        shows("#listed", "1 record in doubt");
        focus(element -> "Open record".equals(prefix(element.getDomAttribute("aria-label"))));
        type(Keys.ENTER);
        shows("#one", "No operator has decided");
        focus(element -> "completed".equals(element.getDomAttribute("value")));
        type(Keys.ARROW_DOWN);
        focus(element -> "reason".equals(element.getDomAttribute("name")));
        type("found at the provider");
        focus(element -> "actor".equals(element.getDomAttribute("name")));
        type(Keys.chord(Keys.CONTROL, "a")); // what another test left there
        type("bert");
        type(Keys.ENTER);
        shows("#history", "bert settled it as failed");
        assertThat(browser.switchTo().activeElement().getText()).isEqualTo("Close");
        type(Keys.ESCAPE);
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> !browser.findElement(By.id("one")).isDisplayed());
        assertThat(pay(key, "").body()).contains("previous-attempt-failed");
    }

    private static String prefix(String label) {
        return label == null ? "" : label.substring(0, Math.min(11, label.length()));
    }

    /** With the tabulator alone. */
    private static void focus(Predicate<WebElement> wanted) {
        for (int i = 0; i < 40; i++) {
            type(Keys.TAB);
            if (wanted.test(browser.switchTo().activeElement())) {
                return;
            }
        }
        throw new AssertionError("The tabulator does not lead there");
    }

    private static void type(CharSequence keys) {
        new Actions(browser).sendKeys(keys).perform();
    }

    @ParameterizedTest
    @CsvSource({"1280,800,false", "1280,800,true", "390,844,false", "390,844,true"})
    void itFitsTheWindowAndTheBrowserHasNothingToComplainAbout(int width, int height, boolean dark) throws IOException {
        for (int i = 0; i < 3; i++) {
            lose();
        }
        Browser.become(browser, width, height, dark);
        browser.manage().logs().get(LogType.BROWSER);
        visit("");
        shows("#listed", "3 records in doubt");
        shows("#doubts", "3 records");
        String name = "operator-" + width + (dark ? "-dark-" : "-light-");
        fits(width);
        Browser.photograph(browser, name + "list");
        click("tbody button");
        shows("#one", "No operator has decided");
        fits(width);
        Browser.photograph(browser, name + "record");
        click("#one [data-close]");
        click("#many");
        click("#which button");
        shows("#counted", "3 records in doubt");
        fits(width);
        Browser.photograph(browser, name + "many");
        assertThat(browser.manage().logs().get(LogType.BROWSER).getAll()).isEmpty();
    }

    /** The window of a phone grows with what does not fit. */
    private static void fits(int width) {
        assertThat((Number) browser.executeScript("return document.documentElement.scrollWidth"))
                .matches(actual -> actual.intValue() <= width, "at most " + width);
    }
}
