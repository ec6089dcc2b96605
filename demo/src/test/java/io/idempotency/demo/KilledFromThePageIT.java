package io.idempotency.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;

/** The page's own button kills the packaged demo in the middle of a charge; it is started again, and the page goes on. */
@Tag("thorough")
class KilledFromThePageIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LEASE = "idempotency.lease=2s";

    @TempDir
    Path folder;

    private static void press(ChromeDriver browser, String action) {
        browser.findElement(By.cssSelector("#actions [data-do=" + action + "]")).click();
    }

    private static String log(ChromeDriver browser) {
        return browser.findElement(By.id("log")).getText();
    }

    @Test
    void thePageTellsThatNobodyKnowsAndNothingIsChargedAgain() throws Exception {
        ChromeDriver browser = Browser.open();
        try (DemoProcess demo = DemoProcess.start(folder, LEASE)) {
            browser.get(demo.uri().toString());
            press(browser, "kill");
            demo.awaitEnd();
            await().atMost(PATIENCE).until(() -> log(browser).contains("Gone. Start it again"));
            try (DemoProcess next = demo.again(folder, LEASE)) {
                await().atMost(PATIENCE)
                        .until(() -> log(browser).contains("The service is back, and remembers the key"));
                await().atMost(PATIENCE).until(() -> {
                    press(browser, "pay");
                    return log(browser).contains("Not charged again: nobody knows yet");
                });
                assertThat(log(browser)).doesNotContain("Charged");
                assertThat(next.isAlive()).isTrue();
            }
        } finally {
            browser.quit();
        }
    }
}
