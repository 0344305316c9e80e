// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.springframework.util.FileSystemUtils;

/**
 * Chromium and its driver as processes of this test run: a profile in a temporary folder, no window, and no name
 * resolved but those of the loopback interface, so that neither a page nor the browser itself reaches anything else.
 */
final class BrowserProcess implements AutoCloseable {

    /** What Chromium does on its own account, and what needs more of a machine than a container may have. */
    private static final List<String> ARGUMENTS = List.of(
            "--headless=new",
            "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1",
            "--no-proxy-server",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-client-side-phishing-detection",
            "--disable-default-apps",
            "--disable-domain-reliability",
            "--disable-extensions",
            "--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication",
            "--disable-sync",
            "--metrics-recording-only",
            "--no-default-browser-check",
            "--no-first-run",
            "--no-pings",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--hide-scrollbars",
            "--force-color-profile=srgb",
            "--lang=en-GB",
            "--window-size=1280,1000");

    private final Path folder;
    private final ChromeDriver driver;
    private final Set<ProcessHandle> processes = new HashSet<>();

    BrowserProcess() {
        BrowserPrograms programs = BrowserPrograms.installed();
        try {
            folder = Files.createTempDirectory("delayqueue-browser");
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        Set<ProcessHandle> before = new HashSet<>(descendants());
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(programs.driver().toFile())
                .usingAnyFreePort()
                .withLogFile(folder.resolve("driver.log").toFile())
                // the browser's language and zone are those of the machine otherwise; what is put into HOME goes with
                // the folder
                .withEnvironment(Map.of("HOME", folder.toString(), "LANG", "C.UTF-8", "TZ", "Europe/Berlin"))
                .build();
        driver = new ChromeDriver(service, options(programs));
        processes.addAll(descendants());
        processes.removeAll(before);
    }

    private ChromeOptions options(BrowserPrograms programs) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(programs.chromium().toFile());
        options.addArguments(ARGUMENTS);
        options.addArguments("--user-data-dir=" + folder.resolve("profile"));
        if (System.getProperty("user.name").equals("root")) {
            options.addArguments("--no-sandbox"); // Chromium refuses to run as root with it
        }
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        return options;
    }

    private static List<ProcessHandle> descendants() {
        return ProcessHandle.current().descendants().toList();
    }

    ChromeDriver driver() {
        return driver;
    }

    /** Asks the browser to end, and ends by their ids what is left of it after five seconds. */
    @Override
    public void close() {
        processes.stream()
                .filter(ProcessHandle::isAlive)
                .flatMap(ProcessHandle::descendants)
                .toList()
                .forEach(processes::add);
        try {
            driver.quit();
        } catch (WebDriverException ex) {
            System.getLogger(BrowserProcess.class.getName())
                    .log(System.Logger.Level.WARNING, "The browser did not answer and is killed", ex);
        }
        CompletableFuture<?> ended = CompletableFuture.allOf(
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new));
        try {
            ended.get(5, TimeUnit.SECONDS);
        } catch (TimeoutException ex) {
            processes.forEach(ProcessHandle::destroyForcibly);
            ended.join();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            processes.forEach(ProcessHandle::destroyForcibly);
        } catch (java.util.concurrent.ExecutionException ex) {
            throw new IllegalStateException(ex);
        }
        try {
            FileSystemUtils.deleteRecursively(folder);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
