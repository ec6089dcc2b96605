package io.idempotency.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.annotation.Property;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;

/** The page in a real browser: Chromium, where it is installed. What it looks like is left in target/screenshots. */
@Tag("thorough")
@MicronautTest(transactional = false)
@Property(name = "demo.provider.url", value = "/provider")
class BrowserTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static ChromeDriver browser;

    @Inject
    EmbeddedServer server;

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

    @BeforeEach
    void load() {
        Browser.become(browser, 1200, false);
        browser.get(server.getURI().toString());
        shows("state", "nothing yet");
    }

    private static String text(String id) {
        return browser.findElement(By.id(id)).getText();
    }

    private static void shows(String id, String text) {
        Awaitility.await(id + " shows " + text)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(text(id)).contains(text));
    }

    private static void press(String action) {
        browser.findElement(By.cssSelector("#actions [data-do=" + action + "]")).click();
    }

    /** In one step: lines come and go. */
    private static List<String> logged() {
        List<?> lines = (List<?>) browser.executeScript(
                "return [...document.querySelectorAll('#log li b')].map(line => line.textContent)");
        return lines.stream().map(String::valueOf).toList();
    }

    private static void saw(String... sentences) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(logged())
                        .allSatisfy(line -> assertThat(line).isNotEmpty())
                        .anySatisfy(line -> assertThat(line).contains(sentences[0])));
        for (String sentence : sentences) {
            assertThat(logged()).anySatisfy(line -> assertThat(line).contains(sentence));
        }
    }

    @Test
    void payingTwiceWithOneKeyChargesOnce() throws IOException {
        press("pay");
        saw("Charged");
        shows("state", "the answer");
        press("pay");
        saw("The first answer again", "Charged");
        shows("count", "1 time");
        Browser.photograph(browser, "paid-twice");
    }

    @Test
    void fiftyClicksAtOnceChargeOnce() {
        press("fifty");
        shows("state", "the answer");
        shows("sent", "50");
        shows("count", "1 time");
    }

    @Test
    void anotherAmountIsRefusedAndNotCharged() {
        press("pay");
        saw("Charged");
        press("other");
        saw("another amount");
        shows("count", "1 time");
    }

    @Test
    void aDeclinedCardLeavesTheKeyFree() {
        press("decline");
        saw("Declined before anything happened");
        shows("count", "0 times");
        press("pay");
        saw("Charged");
        shows("count", "1 time");
    }

    @Test
    void theStateMovesWhileASlowPaymentRuns() {
        press("slow");
        shows("state", "working on it");
        saw("Told to wait");
        shows("state", "the answer");
        shows("count", "1 time");
    }

    @Test
    void theKeyboardReachesEverythingAndChangesAreReadAloud() {
        focus(element -> "pay".equals(element.getDomAttribute("data-do")));
        type(Keys.ENTER);
        saw("Charged");
        shows("count", "1 time");
        focus(element -> "amount".equals(element.getDomAttribute("id")));
        type(Keys.ENTER);
        saw("The first answer again");
        shows("count", "1 time");
        assertThat(List.of("count", "state", "log", "unknown"))
                .allSatisfy(id -> assertThat(browser.findElement(By.id(id)).getDomAttribute("aria-live"))
                        .isEqualTo("polite"));
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

    private static void type(Keys key) {
        new Actions(browser).sendKeys(key).perform();
    }

    @Test
    void whatTheProviderChargedIsStoredAsTheAnswerThatWasLost() {
        press("lost");
        saw("was lost");
        shows("state", "nobody knows");
        shows("unknown", "charged 1 time");
        String order = browser.findElement(By.id("order-id")).getDomProperty("value");
        browser.findElement(By.id("done")).click();
        saw("Settled: who pays again with this key gets this answer");
        shows("state", "the answer");
        press("pay");
        saw("The first answer again");
        shows("count", "1 time");
        assertThat(browser.findElement(By.cssSelector("#log li pre")).getDomProperty("textContent"))
                .contains(order, "CHARGED", "12.5");
    }

    @Test
    void whatHappenedStandsBesideTheButtonWithoutScrolling() {
        for (int[] window : new int[][] {{1280, 800}, {390, 844}}) {
            Browser.become(browser, window[0], window[1], false);
            browser.navigate().refresh();
            shows("state", "nothing yet");
            for (String action : List.of("pay", "other", "decline", "lost")) {
                browser.executeScript(
                        "document.querySelector('[data-do=' + arguments[0] + ']').scrollIntoView({block: 'center'})",
                        action);
                press(action);
                String latest = action.equals("pay")
                        ? "Charged"
                        : action.equals("other")
                                ? "another amount"
                                : action.equals("decline") ? "Declined" : "was lost";
                saw(latest);
                String seen = window[0] > 1000 ? "#log li b" : "#latest";
                assertThat(browser.findElement(By.cssSelector(seen)).getText()).contains(latest);
                assertThat(isInTheWindow(seen)).as(action + " at " + window[0]).isTrue();
                assertThat(isInTheWindow("[data-do=" + action + "]")).isTrue();
            }
        }
    }

    private static boolean isInTheWindow(String selector) {
        return Boolean.TRUE.equals(browser.executeScript(
                "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
                        + "return box.top >= 0 && box.bottom <= window.innerHeight && box.height > 0",
                selector));
    }

    @Test
    void theLogIsBoundedAndTheProvidersTableStaysInTheWindow() {
        Browser.become(browser, 1280, 800, false);
        press("pay");
        saw("Charged");
        browser.executeScript("for (let i = 0; i < 40; i++) line('ok', 'Line ' + i, [now()])");
        assertThat(logged()).hasSize(20).startsWith("Line 39").endsWith("Line 20");
        assertThat(isInTheWindow("#charges tr")).isTrue();
    }

    @Test
    void fieldsHaveBordersThatCanBeSeen() {
        for (boolean dark : new boolean[] {false, true}) {
            Browser.become(browser, 1280, dark);
            Number contrast = (Number) browser.executeScript("""
                    const light = color => color.match(/[0-9.]+/g).slice(0, 3).map(c => c / 255)
                      .map(c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
                      .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
                    const field = getComputedStyle(document.getElementById('key'));
                    const around = getComputedStyle(document.getElementById('order'));
                    return Math.min(...[field, around].map(style => {
                      const [a, b] = [light(field.borderTopColor), light(style.backgroundColor)].sort((x, y) => y - x);
                      return (a + .05) / (b + .05);
                    }));""");
            assertThat(contrast.doubleValue()).isGreaterThanOrEqualTo(3);
        }
    }

    @Test
    void nothingIsWiderThanAPhone() throws IOException {
        Browser.become(browser, 390, false);
        press("pay");
        saw("Charged");
        fitsThePhone();
        Browser.photograph(browser, "phone");
        press("lost");
        shows("state", "nobody knows");
        fitsThePhone();
        shows("unknown", "The provider says");
        fitsThePhone();
    }

    private static void fitsThePhone() {
        Number width = (Number) browser.executeScript("return document.documentElement.scrollWidth");
        assertThat(width.intValue()).isLessThanOrEqualTo(390); // the window of a phone grows with what does not fit
    }

    @Test
    void theBrowserHasNothingToComplainAbout() {
        press("pay");
        saw("Charged");
        press("other");
        saw("another amount");
        assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
                .extracting(entry -> entry.getMessage())
                .allSatisfy(
                        message -> assertThat(message).contains("/payments")); // refused requests are shown as errors
    }
}
