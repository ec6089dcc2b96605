package io.idempotency.demo;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** Chromium without a window, where it is installed. */
final class Browser {

    private Browser() {}

    /** Ends the test, and says so, where there is none. */
    static ChromeDriver open() {
        Optional<File> chromium = onPath("chromium", "chromium-browser", "google-chrome");
        Optional<File> driver = onPath("chromedriver");
        if (chromium.isEmpty() || driver.isEmpty()) {
            System.out.println("No page was tested: there is no chromium and chromedriver on the PATH.");
        }
        Assumptions.assumeTrue(chromium.isPresent() && driver.isPresent());
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.orElseThrow());
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu");
        return new ChromeDriver(
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

    /** As a device of that width, in the light or in the dark. */
    static void become(ChromeDriver browser, int width, boolean dark) {
        become(browser, width, 900, dark);
    }

    static void become(ChromeDriver browser, int width, int height, boolean dark) {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"),
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    }

    /** The whole page, also what is below the window. */
    static void photograph(ChromeDriver browser, String name) throws IOException {
        Map<String, Object> picture = browser.executeCdpCommand(
                "Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
        Path folder = Files.createDirectories(Path.of("target/screenshots"));
        Files.write(folder.resolve(name + ".png"), Base64.getDecoder().decode(String.valueOf(picture.get("data"))));
    }
}
