package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ViewportSize;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A real chromium, and what is wrong with the pages in it. */
final class Browser implements AutoCloseable {

    private static final ViewportSize DESKTOP = new ViewportSize(1280, 900);
    private static final ViewportSize PHONE = new ViewportSize(390, 844);
    private static final Path PICTURES = Path.of("target/screenshots").toAbsolutePath();

    private final Playwright playwright;
    private final com.microsoft.playwright.Browser chromium;
    private final List<String> complaints = new ArrayList<>();
    private boolean darkIsNext;

    private Browser(Path program) {
        playwright =
                Playwright.create(
                        new Playwright.CreateOptions()
                                .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        chromium =
                playwright
                        .chromium()
                        .launch(
                                new BrowserType.LaunchOptions()
                                        .setExecutablePath(program)
                                        .setTimeout(120_000)
                                        .setArgs(
                                                List.of(
                                                        "--no-sandbox",
                                                        "--no-first-run",
                                                        "--disable-background-networking",
                                                        "--disable-component-update",
                                                        "--disable-sync",
                                                        "--disable-quic")));
    }

    /** Where chromium is, if it is installed. */
    static Optional<Path> program() {
        return Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    static Browser start() {
        return new Browser(program().orElseThrow());
    }

    Page desktop(ColorScheme colours) {
        return page(DESKTOP, colours);
    }

    Page phone(ColorScheme colours) {
        return page(PHONE, colours);
    }

    /** Makes a page as wide as a desktop, checks it, and makes it as narrow as a phone again. */
    static void onDesktop(Page page, Runnable check) {
        page.setViewportSize(DESKTOP.width, DESKTOP.height);
        check.run();
        page.setViewportSize(PHONE.width, PHONE.height);
    }

    /** With scripts switched off. */
    Page withoutScripts() {
        return chromium.newContext(
                        new com.microsoft.playwright.Browser.NewContextOptions()
                                .setJavaScriptEnabled(false))
                .newPage();
    }

    private Page page(ViewportSize size, ColorScheme colours) {
        BrowserContext context =
                chromium.newContext(
                        new com.microsoft.playwright.Browser.NewContextOptions()
                                .setViewportSize(size.width, size.height)
                                .setColorScheme(colours));
        context.setDefaultTimeout(60_000);
        Page page = context.newPage();
        page.onConsoleMessage(message -> {
            if (message.type().equals("error")) {
                complaints.add(page.url() + ": " + message.text());
            }
        });
        page.onPageError(error -> complaints.add(page.url() + ": " + error));
        return page;
    }

    /** Holds that the console had neither errors nor warnings so far. */
    void assertSilentConsole() {
        assertThat(complaints).isEmpty();
    }

    /** Forgets complaints that a test provoked. */
    void forgive(String containing) {
        complaints.removeIf(it -> it.contains(containing));
    }

    /** Holds that axe-core finds nothing and nothing is too wide. */
    static void assertAccessible(Page page, String name) {
        page.evaluate(axe());
        assertAxeFindsNothing(page, "", name);
        assertFits(page, name);
    }

    /** The same in light colours, the next time in dark ones, and so on. */
    void assertAccessibleInTurn(Page page, String name) {
        wear(page, darkIsNext ? ColorScheme.DARK : ColorScheme.LIGHT);
        darkIsNext = !darkIsNext;
        assertAccessible(page, name);
    }

    /** Holds that nothing is too wide. */
    static void assertFits(Page page, String name) {
        keepPicture(page, name);
        Object overflow =
                page.evaluate(
                        "() => document.documentElement.scrollWidth"
                                + " - document.documentElement.clientWidth");
        assertThat(overflow).as("too wide: " + name).isEqualTo(0);
    }

    /**
     * The same of a light page in both its colours: the dark ones change what depends on colours.
     */
    static void assertAccessibleInBothColours(Page page, String name) {
        assertAccessible(page, name + "-light");
        wear(page, ColorScheme.DARK);
        keepPicture(page, name + "-dark");
        assertAxeFindsNothing(
                page, "{runOnly: ['color-contrast', 'link-in-text-block']}", name + "-dark");
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
    }

    /** Has a page show these colours, and waits until it does. */
    private static void wear(Page page, ColorScheme colours) {
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(colours));
        page.evaluate(
                "async () => { await Promise.all(document.getAnimations()"
                        + ".map(it => it.finished.catch(() => {}))); }");
    }

    private static void keepPicture(Page page, String name) {
        if (!Boolean.getBoolean("madcast.pictures")) {
            return;
        }
        page.screenshot(
                new Page.ScreenshotOptions()
                        .setPath(PICTURES.resolve(name + ".png"))
                        .setFullPage(true));
    }

    private static void assertAxeFindsNothing(Page page, String options, String name) {
        Object violations =
                page.evaluate(
                        "async () => (await axe.run("
                                + options
                                + ")).violations.map(it => it.id + ': '"
                                + " + it.nodes.map(n => n.html.slice(0, 200)"
                                + " + ' ' + n.failureSummary).slice(0, 3).join(' | '))");
        assertThat((List<?>) violations).as(name).isEmpty();
    }

    private static String axe() {
        String path = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";
        try (InputStream script = Browser.class.getResourceAsStream(path)) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        chromium.close();
        playwright.close();
    }
}
