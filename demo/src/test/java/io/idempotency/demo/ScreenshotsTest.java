package io.idempotency.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.annotation.Property;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;

/** Every state of the page on a desktop and on a phone, light and dark, in target/screenshots: for a person to look at. */
@Tag("screenshots")
@MicronautTest(transactional = false)
@Property(name = "demo.provider.url", value = "/provider")
class ScreenshotsTest {

    /** As if the service had died: what is under way fails, and whatever comes after. */
    private static final String GONE = """
            const real = window.fetch, running = new AbortController();
            let gone = false;
            window.fetch = (path, options) => {
              if (path === 'kill') { gone = true; running.abort(); watching.onerror(); watching.close(); }
              return gone ? Promise.reject(new TypeError('Failed to fetch'))
                : real(path, { ...options, signal: running.signal });
            };""";

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

    private String device;

    private static void press(String action) {
        browser.findElement(By.cssSelector("[data-do=" + action + "]")).click();
    }

    private void picture(String name, String text) throws IOException {
        Awaitility.await(text)
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> assertThat(browser.findElement(By.tagName("body")).getText())
                                .contains(text));
        Browser.photograph(browser, device + "-" + name);
    }

    @ParameterizedTest
    @CsvSource({"1280, false", "1280, true", "390, false", "390, true"})
    void everyStateOfThePage(int width, boolean dark) throws IOException {
        device = (width < 600 ? "phone" : "desktop") + (dark ? "-dark" : "-light");
        Browser.become(browser, width, dark);
        browser.get(server.getURI().toString());
        picture("01-first-visit", "nothing yet");
        press("pay");
        picture("02-paid", "Charged");
        press("pay");
        picture("03-paid-again", "The first answer again");
        press("other");
        picture("04-other-amount", "another amount");
        press("fifty");
        picture("05-fifty", "1 × Charged");
        browser.navigate().refresh();
        press("slow");
        picture("06-slow", "Told to wait");
        picture("07-slow-done", "Charged");
        press("decline");
        picture("08-declined", "Declined before");
        press("lost");
        picture("09-lost", "was lost");
        press("pay");
        picture("10-lost-paid-again", "Not charged again");
        picture("11-unknown", "charged 1 time");
        browser.findElement(By.id("done")).click();
        picture("12-settled", "gets this answer");
        browser.executeScript(GONE);
        press("kill");
        picture("13-killed", "Gone.");
    }
}
