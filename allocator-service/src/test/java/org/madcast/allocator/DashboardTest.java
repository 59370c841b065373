package org.madcast.allocator;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Dialog;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The pages as people use them, in a real browser. */
@EnabledIf("chromiumIsThere")
class DashboardTest {

    private static final LocatorAssertions.ContainsTextOptions SOON =
            new LocatorAssertions.ContainsTextOptions().setTimeout(60_000);
    private static final LocatorAssertions.HasTextOptions IN_TIME =
            new LocatorAssertions.HasTextOptions().setTimeout(60_000);
    private static final RunningService SERVICE = RunningService.shared();
    private static final Rest REST = SERVICE.rest();
    private static final SampleFleet FLEET = new SampleFleet(REST);
    private static Browser browser;
    private static SampleJob job;
    private static SampleJob over;

    static boolean chromiumIsThere() {
        return Browser.program().isPresent();
    }

    @BeforeAll
    static void start() {
        browser = Browser.start();
        job = SampleJob.start(REST, "weather-" + UUID.randomUUID(), 6);
        job.report(1);
        job.report(2);
        FLEET.start();
        over = SampleJob.start(REST, "climate-" + UUID.randomUUID(), 4);
        over.report(1);
        over.end();
    }

    @AfterAll
    static void end() {
        browser.assertSilentConsole();
        browser.close();
    }

    private static String url(String path) {
        return REST.origin() + path;
    }

    /** Both in one visit of each page: made for a phone, and then as wide as a desktop. */
    @Test
    void fitsAPhoneAndIsAccessible() {
        visitAll(
                browser.phone(ColorScheme.LIGHT),
                (page, name) -> {
                    Browser.assertFits(page, name + "-phone");
                    Browser.onDesktop(page, () -> browser.assertAccessibleInTurn(page, name));
                });
    }

    @Tag("slow")
    @Test
    void isAccessibleInBothColours() {
        visitAll(browser.desktop(ColorScheme.LIGHT), Browser::assertAccessibleInBothColours);
    }

    @Tag("slow")
    @Test
    void isAccessibleOnAPhone() {
        visitAll(
                browser.phone(ColorScheme.LIGHT),
                (page, name) -> Browser.assertAccessibleInBothColours(page, name + "-phone"));
    }

    private static void visitAll(Page page, BiConsumer<Page, String> check) {
        job.reportAgain(); // alerts are of the last minutes
        page.navigate(url("/"));
        assertThat(page.locator("#live-status")).containsText("live", SOON);
        assertThat(page.locator(".alerts")).containsText("sent from 10.0.9.14:5004", SOON);
        check.accept(page, "overview");
        page.navigate(url("/communicators/" + job.id()));
        assertThat(page.locator("svg.grid").first()).isVisible();
        assertThat(page.locator(".spans a[aria-current]")).hasText("whole job");
        check.accept(page, "communicator");
        page.navigate(url("/communicators/" + over.id()));
        assertThat(page.locator("h1 .badge")).containsText("ended");
        check.accept(page, "ended");
        Map<String, String> others = new LinkedHashMap<>();
        for (String path :
                "sign-in scopes nodes pushes jobs metrics help tokens audit".split(" ", -1)) {
            others.put(path, "/" + path);
        }
        others.put("leases", "/leases?state=active");
        others.put("lease", "/leases/" + job.leaseId());
        others.put("push", "/pushes/" + FLEET.push());
        others.put("job", "/job?name=" + job.name());
        others.put("node", "/node?name=h2");
        others.put("probe", "/probes/" + FLEET.probe());
        others.forEach((name, path) -> {
            page.navigate(url(path));
            check.accept(page, name);
        });
        page.context().close();
        browser.assertSilentConsole();
    }

    @Test
    void aCommunicatorIsTwoClicksAwayAndStaysUpToDate() {
        Page page = browser.desktop(ColorScheme.LIGHT);
        page.navigate(url("/leases"));
        page.getByRole(AriaRole.SEARCHBOX).fill(job.name());
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Search")).click();
        page.locator("#live table a", new Page.LocatorOptions().setHasText("world")).click();
        assertThat(page.locator("h1")).containsText(job.name());
        assertThat(page.locator(".charts figure")).not().hasCount(0);
        assertThat(page.locator("svg.loss path.s4, svg.loss path.s5").first()).isVisible();
        Locator lossy = page.locator("svg.loss path.s4, svg.loss path.s5").first();
        lossy.hover(new Locator.HoverOptions().setPosition(3, 3));
        assertThat(page.locator(".tip")).containsText("rank 2");
        assertThat(page.locator(".tip")).containsText("3 to 10 %");
        assertThat(page.locator("#live")).containsText("multicast works");
        long before = job.sent();
        job.reportAgain();
        assertThat(job.sent()).isGreaterThan(before);
        assertThat(page.locator("#live")).containsText(SampleJob.shown(job.sent()), SOON);
        page.context().close();
    }

    @Test
    void linesTellTheValuesUnderThePointerAndSurviveARefresh() {
        Page page = browser.desktop(ColorScheme.LIGHT);
        page.navigate(url("/communicators/" + job.id()));
        Locator chart = page.locator("#chart-site-64KiB-");
        assertThat(chart.locator("canvas")).hasCount(1);
        assertThat(chart.locator("figcaption")).containsText("log");
        assertThat(chart.locator("details table")).isHidden();
        page.evaluate("() => document.querySelector('canvas').marked = true");
        page.waitForResponse(it -> it.url().contains("/fragments/"), () -> {});
        page.waitForResponse(it -> it.url().contains("/fragments/"), () -> {});
        assertThat(page.locator("canvas").first()).hasJSProperty("marked", true);
        // to the last point, which is at the right end of a job that has just begun to report
        Locator over = chart.locator(".u-over");
        var box = over.boundingBox();
        over.hover(new Locator.HoverOptions().setPosition(box.width - 3, box.height / 2));
        assertThat(chart.locator(".u-legend"))
                .containsText(Pattern.compile("p99\\d+(\\.\\d+)? (ms|µs)"));
        assertThat(page.locator("#chart-throughput .u-legend"))
                .containsText(Pattern.compile("throughput\\d+(\\.\\d+)? [kMG]?bit/s"));
        page.context().close();
    }

    @Test
    void theValuesOfTheLinesAreATableWithoutScripts() {
        Page page = browser.withoutScripts();
        page.navigate(url("/communicators/" + job.id()));
        Locator chart = page.locator("#chart-throughput");
        assertThat(chart.locator("details table")).isVisible();
        assertThat(chart.locator("tbody tr").first()).containsText("bit/s");
        page.context().close();
    }

    /** On a phone a table is a list of cards: nothing of it is beyond the edge. */
    @Test
    void tablesAreReadOnAPhoneWithoutScrollingSideways() {
        Page page = browser.phone(ColorScheme.LIGHT);
        for (String path : List.of("/", "/leases", "/nodes", "/communicators/" + job.id())) {
            page.navigate(url(path));
            assertThat(page.locator("table.cards").first()).isVisible();
            Object wide =
                    page.evaluate(
                            "() => [...document.querySelectorAll('.scroll:has(> table.cards)')]"
                                    + ".filter(it => it.scrollWidth > it.clientWidth)"
                                    + ".map(it => it.ariaLabel + ': ' + [...it.querySelectorAll('*')]"
                                    + ".filter(e => e.getBoundingClientRect().right"
                                    + " > it.getBoundingClientRect().right)"
                                    + ".map(e => e.outerHTML.slice(0, 120)))");
            assertThat((List<?>) wide).as(path).isEmpty();
        }
        page.navigate(url("/nodes"));
        assertThat(page.locator("table.cards tbody tr").first().locator("td").nth(2))
                .hasAttribute("data-label", "Ranks");
        page.context().close();
    }

    @Test
    void aPushMovesWhileOneLooks() {
        Page page = browser.desktop(ColorScheme.LIGHT);
        page.navigate(url("/pushes"));
        page.locator("#live a[href$='" + FLEET.push() + "']").click();
        assertThat(page.locator("#live")).containsText("37 %");
        assertThat(page.locator("#live")).containsText("its agent died or was ended");
        FLEET.goOn(2, 75);
        assertThat(page.locator("#live")).containsText("75 %", SOON);
        page.context().close();
        FLEET.goOn(3, 37);
    }

    @Test
    void aProbeIsTwoClicksAway() {
        Page page = browser.desktop(ColorScheme.DARK);
        page.navigate(url("/"));
        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Nodes")).click();
        Locator row =
                page.locator("[aria-label=Probes] tbody tr")
                        .filter(
                                new Locator.FilterOptions()
                                        .setHas(page.locator("a[href$='" + FLEET.probe() + "']")));
        assertThat(row).containsText("239.195.0.7:5000");
        assertThat(row.locator(".badge.bad")).isVisible();
        row.locator("a").click();
        assertThat(page.locator(".matrix td.bad")).hasCount(3);
        assertThat(page.locator(".alerts")).containsText("IGMP snooping");
        page.context().close();
    }

    @Test
    void worksByKeyboardAlone() {
        Page page = browser.desktop(ColorScheme.LIGHT);
        page.navigate(url("/communicators/" + job.id()));
        page.keyboard().press("Tab");
        assertThat(page.locator(":focus")).hasText("Skip to the content");
        page.keyboard().press("Enter");
        Locator day =
                page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("24 hours"));
        for (int i = 0; i < 30 && !focused(page).equals("24 hours"); i++) {
            page.keyboard().press("Tab");
        }
        assertThat(day).isFocused();
        // a refresh does not take the focus away
        page.waitForResponse(it -> it.url().contains("/fragments/"), () -> {});
        page.waitForResponse(it -> it.url().contains("/fragments/"), () -> {});
        assertThat(day).isFocused();
        page.keyboard().press("Enter");
        assertThat(page).hasURL(Pattern.compile(".*span=24h"));
        assertThat(day).hasAttribute("aria-current", "true");
        page.context().close();
    }

    /** The text of what has the focus; in one step, since a refresh replaces elements. */
    private static String focused(Page page) {
        return (String) page.evaluate("() => document.activeElement.textContent.trim()");
    }

    @Test
    void anOperatorReleasesALeaseAfterBeingAsked() {
        String mine = "release-" + UUID.randomUUID();
        String id = REST.post("/v1/leases", "{\"job\":\"" + mine + "\"}").string("id");
        Page page = browser.desktop(ColorScheme.DARK);
        List<String> asked = new ArrayList<>();
        page.onceDialog(dialog -> {
            asked.add(dialog.message());
            dialog.dismiss();
        });
        page.navigate(url("/leases?q=" + mine));
        page.locator("#live table a").first().click();
        page.locator("#release").click();
        assertThat(asked).containsExactly("Release the lease of " + mine + "?");
        assertThat(page.locator("h1 .badge")).hasText("active");
        page.onceDialog(Dialog::accept);
        page.locator("#release").click();
        assertThat(page.locator("h1 .badge")).hasText("released");
        assertThat(page.locator("#release")).hasCount(0);
        assertThat(REST.get("/v1/leases/" + id).string("state")).isEqualTo("RELEASED");
        page.navigate(url("/leases?state=released&q=" + mine));
        assertThat(page.locator("#live tbody tr")).hasCount(1);
        page.navigate(url("/leases?state=active&q=" + mine));
        assertThat(page.locator("#live")).containsText("No lease is like that");
        Browser.assertAccessible(page, "leases-none");
        page.context().close();
    }

    @Test
    void theGroupsOfALeaseAreWrittenLikeItsAddresses() {
        String scope = "six-" + RunningService.newJob().substring(4, 12);
        String wanted =
                """
                {"ranges":["ff18::8000:0/124"],"sharing":{"segment":"%s"},"ttl":3}
                """
                        .formatted(scope);
        assertThat(REST.post("/v1/scopes/" + scope, wanted).status()).isEqualTo(201);
        String mine = RunningService.newJob();
        String id =
                REST.post("/v1/leases", "{\"job\":\"%s\",\"scope\":\"%s\"}".formatted(mine, scope))
                        .string("id");
        assertThat(REST.get("/leases?q=" + mine).text()).contains(">[ff18::8000:");
        assertThat(REST.get("/leases/" + id).text()).contains(">[ff18::8000:");
    }

    @Test
    void anotherSitesFormReleasesNothing() {
        String id = REST.post("/v1/leases", "{\"job\":\"kept\"}").string("id");
        assertThat(REST.post("/leases/" + id + "/release", "{}").status()).isEqualTo(403);
        assertThat(REST.get("/v1/leases/" + id).string("state")).isEqualTo("ACTIVE");
    }

    @Test
    void saysWhatIsMissing() {
        Page page = browser.phone(ColorScheme.LIGHT);
        String empty =
                REST.post(
                                "/v1/communicators",
                                "{\"job\":\"%s\",\"name\":\"world\",\"size\":2}"
                                        .formatted(UUID.randomUUID()))
                        .string("id");
        page.navigate(url("/communicators/" + empty));
        assertThat(page.locator("#live")).containsText("No rank has registered yet");
        assertThat(page.locator("#live")).containsText("No rank reported in this time");
        Browser.assertAccessible(page, "communicator-empty");
        page.context().close();
        Rest.Answer none = REST.get("/communicators/" + UUID.randomUUID());
        assertThat(none.status()).isEqualTo(404);
        assertThat(none.text()).contains("There is no such communicator", "/dashboard/madcast.css");
        assertThat(REST.get("/leases/" + UUID.randomUUID()).status()).isEqualTo(404);
    }

    @Test
    void saysWhenTheServiceIsAway() {
        Page page = browser.desktop(ColorScheme.LIGHT);
        page.clock().install();
        page.route("**/events", route -> route.fulfill(answered(503)));
        page.navigate(url("/"));
        // It tries again after three seconds each time; the browser's clock is moved instead.
        page.waitForCondition(() -> saysLater(page, "service away"));
        page.unroute("**/events");
        page.clock().fastForward(3000);
        assertThat(page.locator("#live-status")).containsText("live", SOON);
        page.context().close();
        browser.forgive("503");
    }

    private static boolean saysLater(Page page, String state) {
        page.clock().fastForward(1000);
        return page.locator("#live-status").textContent().contains(state);
    }

    @Test
    void errorPagesAreReadableAndLeadOn() {
        for (Page page :
                List.of(browser.desktop(ColorScheme.LIGHT), browser.phone(ColorScheme.DARK))) {
            for (String wrong : List.of("/nothing", "/leases?page=x", "/pushes/unknown")) {
                page.navigate(url(wrong));
                assertThat(page.locator("#live-status")).hasText("connected");
                Browser.assertAccessible(page, "error-" + page.viewportSize().width);
            }
            page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("All pushes"))
                    .click();
            assertThat(page.locator("h1")).hasText("Pushes");
            page.context().close();
        }
        browser.forgive("404");
        browser.forgive("400");
    }

    @Test
    void aPageIsOldWhileTheDatabaseIsAwayAndOneThatCouldNotBeMadeComesByItself()
            throws IOException {
        try (CuttableProxy proxy = new CuttableProxy(RunningService.databasePort());
                RunningService service = RunningService.replicaThrough(proxy.port())) {
            Page open = browser.phone(ColorScheme.LIGHT);
            open.navigate(service.rest().origin() + "/");
            assertThat(open.locator("#live-status")).hasText("live");
            proxy.cut();
            assertThat(open.locator("#live-status")).containsText("database away, as of", SOON);
            Page other = browser.desktop(ColorScheme.DARK);
            other.navigate(service.rest().origin() + "/scopes");
            assertThat(other.locator("h1")).hasText("The database does not answer.");
            assertThat(other.locator("#retry")).isVisible();
            Browser.assertAccessible(other, "database-away");
            proxy.restore();
            assertThat(other.locator("h1")).hasText("Scopes", IN_TIME);
            assertThat(open.locator("#live-status")).hasText("live", IN_TIME);
            open.context().close();
            other.context().close();
        }
        browser.forgive("503");
    }

    /** Whoever reloads as soon as it is refused again makes the crowd larger. */
    @Test
    void aPageThatWasOneOfTooManyComesByItselfOnceThereIsRoom() {
        Page page = browser.desktop(ColorScheme.LIGHT);
        String refused;
        try (RunningService full =
                RunningService.replica("--madcast.rest.requests-of-one-client=0")) {
            Rest.Answer answer = full.rest().get("/scopes", "Accept", "text/html");
            assertThat(answer.status()).isEqualTo(429);
            refused = answer.text();
        }
        List<Boolean> navigations = new CopyOnWriteArrayList<>();
        page.route(
                "**/scopes",
                route -> {
                    navigations.add(route.request().isNavigationRequest());
                    route.fulfill(
                            new Route.FulfillOptions()
                                    .setStatus(429)
                                    .setContentType("text/html")
                                    .setBody(refused));
                });
        page.navigate(url("/scopes"));
        assertThat(page.locator("h1")).hasText("Too many requests at once.");
        assertThat(page.locator("#retry")).isVisible();
        page.waitForCondition(() -> navigations.size() > 3);
        assertThat(navigations).startsWith(true).containsOnlyOnce(true);
        page.unroute("**/scopes");
        assertThat(page.locator("h1")).hasText("Scopes", IN_TIME);
        assertThat(page.locator("#live-status")).hasText("live");
        page.route("**/fragments/**", route -> route.fulfill(answered(429)));
        assertThat(page.locator("#live-status"))
                .containsText("the service answered 429, as of", SOON);
        page.context().close();
        browser.forgive("429");
    }

    @Test
    void saysThatALeaseWasNotReleased() {
        String id = REST.post("/v1/leases", "{\"job\":\"stays\"}").string("id");
        Page page = browser.desktop(ColorScheme.LIGHT);
        page.route("**/release", route -> route.fulfill(answered(503)));
        page.onDialog(Dialog::accept);
        page.navigate(url("/leases/" + id));
        page.locator("#release").click();
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("Not done: database away");
        page.unroute("**/release");
        page.locator("#release").click();
        assertThat(page.locator("h1 .badge")).hasText("released");
        assertThat(page.locator("#failure")).isHidden();
        page.context().close();
        browser.forgive("503");
    }

    /** What a refresh has replaced would hear of no answer. */
    @Test
    void aRefreshWaitsForWhatSomebodyAskedFor() {
        String id = REST.post("/v1/leases", "{\"job\":\"slow\"}").string("id");
        Page page = browser.desktop(ColorScheme.LIGHT);
        CompletableFuture<Route> release = new CompletableFuture<>();
        page.route("**/release", release::complete);
        page.onDialog(Dialog::accept);
        page.navigate(url("/leases/" + id));
        page.waitForRequest("**/release", () -> page.locator("#release").click());
        page.waitForResponse(
                "**/fragments/leases/**",
                () -> page.evaluate("() => htmx.trigger(document.body, 'madcast:tick')"));
        release.join().fulfill(answered(503));
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("Not done: database away");
        page.context().close();
        browser.forgive("503");
    }

    @Test
    void saysThatItWaitsWhileTextIsSelected() {
        Page page = browser.desktop(ColorScheme.LIGHT);
        page.navigate(url("/scopes"));
        page.evaluate(
                "() => document.getSelection().selectAllChildren(document.querySelector('h1'))");
        assertThat(page.locator("#live-status")).hasText("paused while text is selected");
        page.evaluate("() => document.getSelection().removeAllRanges()");
        assertThat(page.locator("#live-status")).hasText("live");
        page.context().close();
    }

    @Test
    void promisesNothingWithoutScripts() {
        String id = REST.post("/v1/leases", "{\"job\":\"plain\"}").string("id");
        Page page = browser.withoutScripts();
        page.navigate(url("/leases/" + id));
        assertThat(page.locator("#live-status").innerText()).isEqualTo("not live: scripts are off");
        assertThat(page.locator("#release")).isHidden();
        assertThat(page.locator(".danger").innerText()).contains("It needs scripts switched on.");
        page.context().close();
    }

    private static Route.FulfillOptions answered(int status) {
        return new Route.FulfillOptions().setStatus(status).setBody("");
    }
}
