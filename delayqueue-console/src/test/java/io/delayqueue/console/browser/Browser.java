// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.Alert;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A browser for one test at a time. Waits last at most twenty seconds. It records the log messages and requests of the
 * pages.
 */
public final class Browser {

    private static final JsonMapper JSON = new JsonMapper();
    /** The browser's message about a status such as 403, which is not a fault of the page. */
    private static final Pattern STATUS =
            Pattern.compile(".* Failed to load resource: the server responded with a status of [45]\\d\\d .*");

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ChromeDriver driver;
    private final List<String> complaints = new ArrayList<>();
    private final List<URI> requests = new ArrayList<>();
    private final List<Object> scripts = new ArrayList<>();

    /** Polls at once and often, because most conditions hold already, and polling a page is cheap. */
    private static ConditionFactory patiently() {
        return await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(25))
                .ignoreExceptionsInstanceOf(WebDriverException.class);
    }

    Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Resets the browser to its initial state: no cookies, no login, light, wide, with scripts, patient. */
    void reset() {
        driver.get("about:blank");
        scripts.forEach(id -> cdp("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", id)));
        scripts.clear();
        cdp("Network.enable", Map.of());
        cdp("Network.clearBrowserCookies", Map.of());
        cdp("Network.clearBrowserCache", Map.of());
        cdp("Network.setBlockedURLs", Map.of("urls", List.of()));
        cdp("Emulation.setScriptExecutionDisabled", Map.of("value", false));
        cdp("Emulation.clearDeviceMetricsOverride", Map.of());
        headers(Map.of());
        theme(Theme.LIGHT);
        read();
        complaints.clear();
        requests.clear();
    }

    private Map<String, Object> cdp(String command, Map<String, Object> parameters) {
        return driver.executeCdpCommand(command, parameters);
    }

    /** Sends these with every request from now on. */
    public Browser headers(Map<String, String> headers) {
        cdp("Network.setExtraHTTPHeaders", Map.of("headers", headers));
        return this;
    }

    /** Authenticates every request from now on, by HTTP's basic scheme. */
    public Browser as(String user, String password) {
        String credentials = user + ":" + password;
        return headers(Map.of(
                "Authorization",
                "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8))));
    }

    /** The theme that the operating system requests. */
    public enum Theme {
        LIGHT,
        DARK
    }

    public Browser theme(Theme theme) {
        Map<String, Object> feature =
                Map.of("name", "prefers-color-scheme", "value", theme.name().toLowerCase(Locale.ROOT));
        cdp("Emulation.setEmulatedMedia", Map.of("features", List.of(feature)));
        return this;
    }

    /** How large a window pages have, in CSS pixels. */
    public Browser size(int width, int height) {
        cdp(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
        return this;
    }

    /** Lets requests for addresses like these fail from now on; {@code *} stands for anything. */
    public Browser cut(String... patterns) {
        cdp("Network.setBlockedURLs", Map.of("urls", List.of(patterns)));
        return this;
    }

    /** Lets the scripts of pages that are opened from now on wait for a tenth of the time that they want to. */
    Browser hurried() {
        String source = """
                {
                  const later = window.setTimeout;
                  window.setTimeout = (call, millis, ...rest) => later(call, millis / 10, ...rest);
                }
                """;
        scripts.add(cdp("Page.addScriptToEvaluateOnNewDocument", Map.of("source", source))
                .get("identifier"));
        return this;
    }

    public Browser scriptsAllowed(boolean allowed) {
        cdp("Emulation.setScriptExecutionDisabled", Map.of("value", !allowed));
        return this;
    }

    public Browser open(String address) {
        driver.get(address);
        return this;
    }

    public URI address() {
        return URI.create(driver.getCurrentUrl());
    }

    public String title() {
        return String.valueOf(driver.getTitle());
    }

    /** Returns the visible text of the page. */
    public String text() {
        return text("body");
    }

    /** Returns the visible text of an element, with each blank part as a single space. */
    public String text(String css) {
        return patiently()
                .until(() -> driver.findElement(By.cssSelector(css)).getText().replaceAll("\\s+", " "), text -> true);
    }

    /** Returns the visible text of each element. Retries if the page is updated in the meantime. */
    public List<String> texts(String css) {
        return patiently()
                .until(() -> elements(css).stream().map(WebElement::getText).toList(), texts -> true);
    }

    public WebElement element(String css) {
        return patiently().until(() -> driver.findElement(By.cssSelector(css)), element -> true);
    }

    public List<WebElement> elements(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    public boolean has(String css) {
        return !elements(css).isEmpty();
    }

    /** Returns the element with this text, by which users find it. */
    public WebElement labelled(String css, String text) {
        return patiently()
                .alias("a " + css + " called " + text)
                .until(
                        () -> elements(css).stream()
                                .filter(element -> element.isDisplayed()
                                        && (element.getText().strip().equals(text)
                                                || text.equals(element.getDomAttribute("aria-label"))))
                                .findFirst()
                                .orElse(null),
                        element -> element != null);
    }

    public Browser click(String css) {
        return retrying(() -> element(css).click());
    }

    public Browser clickLabelled(String css, String text) {
        return retrying(() -> labelled(css, text).click());
    }

    public Browser type(String css, String text) {
        return retrying(() -> {
            WebElement field = element(css);
            field.clear();
            field.sendKeys(text);
        });
    }

    /** A page that is redrawn may take the element away between finding it and using it. */
    private Browser retrying(Runnable step) {
        patiently().until(() -> {
            step.run();
            return true;
        });
        return this;
    }

    public Browser hover(String css) {
        return retrying(() -> new Actions(driver).moveToElement(element(css)).perform());
    }

    /** Agrees to the question that the page asks. */
    public String accept() {
        return patiently()
                .alias("a question")
                .until(
                        () -> {
                            Alert question = driver.switchTo().alert();
                            String text = question.getText();
                            question.accept();
                            return text;
                        },
                        text -> text != null);
    }

    /** Presses keys where the focus is, whichever element that is by then. */
    public Browser press(CharSequence... keys) {
        for (CharSequence key : keys) {
            new Actions(driver).sendKeys(key).perform();
        }
        return this;
    }

    /** Moves the focus by the keyboard, as often as it takes, until it is on an element that fits. */
    public Browser tabTo(Predicate<WebElement> wanted) {
        for (int presses = 0; presses < 200; presses++) {
            press(Keys.TAB);
            if (focusFits(wanted)) {
                return this;
            }
        }
        throw new AssertionError("200 presses of the tabulator reach no such element on " + address());
    }

    /** Retries, because an updated page moves the focus to the new element. */
    private boolean focusFits(Predicate<WebElement> wanted) {
        return patiently().until(() -> wanted.test(driver.switchTo().activeElement()), fits -> true);
    }

    public @Nullable Object script(String script, Object... arguments) {
        return ((JavascriptExecutor) driver).executeScript(script, arguments);
    }

    @Nullable
    Object asyncScript(String script, Object... arguments) {
        return ((JavascriptExecutor) driver).executeAsyncScript(script, arguments);
    }

    public Browser awaitText(String text) {
        patiently().alias("the text " + text).until(this::text, seen -> seen.contains(text));
        return this;
    }

    public Browser awaitGone(String text) {
        patiently().alias("no text " + text).until(this::text, seen -> !seen.contains(text));
        return this;
    }

    /** The names of the cookies for this page. */
    public List<String> cookies() {
        return driver.manage().getCookies().stream()
                .map(cookie -> cookie.getName())
                .toList();
    }

    /** What pages logged as a warning or worse since the test began, such as violations of their policy. */
    public List<String> complaints() {
        read();
        return List.copyOf(complaints);
    }

    /** Returns the requests over the network since the test began. */
    public List<URI> requests() {
        read();
        return List.copyOf(requests);
    }

    private void read() {
        for (LogEntry entry : driver.manage().logs().get(LogType.BROWSER)) {
            boolean isStatusOfPage = STATUS.matcher(entry.getMessage()).matches()
                    && !entry.getMessage().contains("/assets/");
            if (entry.getLevel().intValue() >= Level.WARNING.intValue() && !isStatusOfPage) {
                complaints.add(entry.getMessage());
            }
        }
        for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
            JsonNode message = JSON.readTree(entry.getMessage()).path("message");
            if (message.path("method").asString().equals("Network.requestWillBeSent")) {
                String url = message.path("params").path("request").path("url").asString();
                if (!url.startsWith("data:") && !url.startsWith("blob:") && !url.startsWith("about:")) {
                    requests.add(URI.create(url));
                }
            }
        }
    }

    /** Writes what is seen of the page to a file. */
    public void screenshot(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
