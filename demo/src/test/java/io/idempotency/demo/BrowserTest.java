package io.idempotency.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.annotation.Property;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
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
        Optional<File> chromium = onPath("chromium", "chromium-browser", "google-chrome");
        Optional<File> driver = onPath("chromedriver");
        if (chromium.isEmpty() || driver.isEmpty()) {
            System.out.println("The demo's page was NOT tested: there is no chromium and chromedriver on the PATH.");
        }
        Assumptions.assumeTrue(chromium.isPresent() && driver.isPresent());
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.orElseThrow());
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu");
        browser = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(driver.orElseThrow())
                        .build(),
                options);
    }

    private static Optional<File> onPath(String... names) {
        return Stream.of(names)
                .flatMap(name -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .map(folder -> new File(folder, name)))
                .filter(File::canExecute)
                .findFirst();
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.quit();
        }
    }

    @BeforeEach
    void load() {
        browser.manage().window().setSize(new Dimension(1200, 1400));
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

    private static void photograph(String name) throws IOException {
        Path folder = Files.createDirectories(Path.of("target/screenshots"));
        Files.write(folder.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
    }

    @Test
    void payingTwiceWithOneKeyChargesOnce() throws IOException {
        press("pay");
        saw("Charged");
        shows("state", "the answer");
        press("pay");
        saw("The first answer again", "Charged");
        shows("count", "1 time");
        photograph("paid-twice");
    }

    @Test
    void fiftyClicksAtOnceChargeOnce() {
        press("fifty");
        shows("state", "the answer");
        shows("sent", "50");
        shows("count", "1 time");
    }

    @Test
    void theStateMovesWhileASlowPaymentRuns() {
        press("slow");
        shows("state", "being worked on");
        saw("Told to wait");
        shows("state", "the answer");
        shows("count", "1 time");
    }

    @Test
    void anOperatorSettlesWhatNobodyKnowsTheOutcomeOf() throws IOException {
        press("lost");
        saw("was lost");
        shows("state", "nobody knows");
        press("pay");
        saw("Not charged again");
        shows("count", "1 time");

        browser.findElement(By.id("tab-operator")).click();
        shows("doubt-list", "charge-payment");
        photograph("operator");
        String settled = settleTheFirst();
        browser.switchTo().alert().accept();
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(text("doubt-list")).doesNotContain(settled));
    }

    /** Other tests of this JVM may have left some in doubt, too. The list may just be drawn anew. */
    private static String settleTheFirst() {
        return Awaitility.await()
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(StaleElementReferenceException.class)
                .until(
                        () -> {
                            String record = browser.findElement(By.cssSelector("#doubt-list li b"))
                                    .getText();
                            browser.findElement(By.cssSelector("#doubt-list li button:last-of-type"))
                                    .click();
                            return record;
                        },
                        record -> true);
    }

    @Test
    void nothingIsWiderThanAPhone() throws IOException {
        browser.manage().window().setSize(new Dimension(390, 844));
        press("pay");
        saw("Charged");
        Number width = (Number) browser.executeScript("return document.documentElement.scrollWidth");
        Number inner = (Number) browser.executeScript("return window.innerWidth");
        assertThat(width.intValue()).isLessThanOrEqualTo(inner.intValue());
        photograph("phone");
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
