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
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.NotFoundException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;

/** The page in a real browser: Chromium, where it is installed. What it looks like is left in target/screenshots. */
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
        focus(element -> "tab-customer".equals(element.getDomAttribute("id")));
        type(Keys.ARROW_RIGHT);
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> browser.findElement(By.id("operator")).isDisplayed());
        assertThat(List.of("count", "state", "log", "doubt-list"))
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
    void anOperatorSettlesWhatNobodyKnowsTheOutcomeOf() throws IOException {
        press("lost");
        saw("was lost");
        shows("state", "nobody knows");
        press("pay");
        saw("Not charged again");
        shows("count", "1 time");

        String order = browser.findElement(By.id("order-id")).getDomProperty("value");
        browser.findElement(By.id("tab-operator")).click();
        shows("doubt-list", "Order " + order + ", 12.50 EUR");
        shows("doubt-list", "The provider says: charged 1 time");
        Browser.photograph(browser, "operator");
        settle(order);
        shows("settled", "gets this answer");
        assertThat(text("doubt-list")).doesNotContain(order);

        browser.findElement(By.id("tab-customer")).click();
        press("pay");
        saw("The first answer again");
        shows("count", "1 time");
    }

    /** As the provider's list proposes; other tests may have left orders in doubt, too. The list may just be drawn anew. */
    private static void settle(String order) {
        By proposed = By.xpath("//*[@id='doubt-list']/li[b[contains(., '" + order + "')]]//button[@class='primary']");
        Awaitility.await()
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(NotFoundException.class)
                .ignoreExceptionsInstanceOf(StaleElementReferenceException.class)
                .until(() -> {
                    browser.findElement(proposed).click();
                    return true;
                });
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
        browser.findElement(By.id("tab-operator")).click();
        shows("doubt-list", "The provider says");
        fitsThePhone();
    }

    private static void fitsThePhone() {
        Number width = (Number) browser.executeScript("return document.documentElement.scrollWidth");
        Number inner = (Number) browser.executeScript("return window.innerWidth");
        assertThat(width.intValue()).isLessThanOrEqualTo(inner.intValue());
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
