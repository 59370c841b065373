package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.allocator.Rest.Answer;

/** What went wrong is a page for people and a problem for programs. */
class ErrorPagesTest {

    private static final String PERSON = "text/html,application/xhtml+xml,*/*;q=0.8";
    private static final Rest REST = RunningService.shared().rest();

    @ParameterizedTest
    @CsvSource({
        "/nothing, 404, There is no such page.",
        "/WEB-INF/x, 404, There is no such page.",
        "/error, 404, There is no such page.",
        "/communicators/abc, 404, There is no such communicator.",
        "/leases/abc, 404, There is no such lease.",
        "/probes/abc, 404, There is no such probe.",
        "/pushes/abc, 404, There is no such push.",
        "/leases?page=x, 400, This address is not understood.",
        "/leases?q=%00, 400, This address is not understood.",
    })
    void isAPageWithTheNavigationForPeople(String path, int status, String title) {
        Answer answer = REST.get(path, "Accept", PERSON);
        assertPage(answer, status, title);
        Answer problem = REST.get(path);
        assertThat(problem.status()).isBetween(400, 404);
        assertThat(problem.problem()).isIn("not-found", "invalid-request");
    }

    @ParameterizedTest
    @ValueSource(strings = {"239.192.0.1-239.192.0.1", "239.192.0.1/32", "ff18::8000:1"})
    void anAddressIsLookedUpHoweverItIsWritten(String address) {
        Answer answer = REST.get("/scopes?address=" + address, "Accept", PERSON);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.text()).contains("Leases of").doesNotContain("That is not one address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/nothing", "/actuator/nothing", "/%761/nothing"})
    void whatIsForProgramsAnswersThemOnly(String path) {
        Answer answer = REST.get(path, "Accept", PERSON);
        assertThat(answer.problem()).isEqualTo("not-found");
        assertThat(answer.string("detail")).contains("Nothing is at " + path);
    }

    @Test
    void saysWhatCannotBeDone() {
        Answer page = REST.post("/leases", "{}", "Accept", PERSON);
        assertPage(page, 405, "That cannot be done here.");
        assertThat(page.response().headers().firstValue("Allow")).contains("GET");
        Answer problem = REST.post("/leases", "{}");
        assertThat(problem.problem()).isEqualTo("method-not-allowed");
        assertThat(problem.response().headers().firstValue("Allow")).contains("GET");
    }

    /** Those with a parameter reach a controller, the others nothing but the server. */
    @ParameterizedTest
    @ValueSource(strings = {"/leases?q=%zz", "/v1/leases?job=%zz", "/leases/%zz", "/v1/leases/%2f"})
    void whatIsWronglyEncodedIsRefusedInTheSameWay(String target) throws IOException {
        assertThat(raw(target, "*/*"))
                .startsWith("HTTP/1.1 400")
                .contains("application/problem+json", "urn:madcast:problem:invalid-request");
        String person = raw(target, PERSON);
        assertThat(person).startsWith("HTTP/1.1 400");
        if (!target.startsWith("/v1/")) {
            assertThat(person)
                    .contains(
                            "text/html", "This address is not understood.", "aria-label=\"Pages\"")
                    .contains("Content-Security-Policy");
        }
    }

    /** The server refuses the first by itself and sends it here once more. */
    @ParameterizedTest
    @CsvSource({
        "/WEB-INF/x?secret=1, 404, /WEB-INF/x",
        "/v1/nothing?secret=1, 404, /v1/nothing",
        "/v1/leases?job=%zz, 400, /v1/leases",
        "/v1/leases/%2f, 400, /v1/leases/%2f",
        "/v1/leases/[x]|, 400, /v1/leases/%5Bx%5D%7C",
    })
    void aProblemSaysOfWhichAddressItIs(String target, int status, String instance)
            throws IOException {
        for (String accept : List.of("*/*", "application/json")) {
            assertThat(raw(target, accept))
                    .startsWith("HTTP/1.1 " + status)
                    .contains("\"instance\":\"" + instance + "\"");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/leases/, /leases",
        "/leases/?q=a%20b&page=2, /leases?q=a%20b&page=2",
        "/leases//, /leases",
        "/communicators/abc/, /communicators/abc",
        "//elsewhere.example/, /elsewhere.example",
        "///, /",
    })
    void aSlashTooManyLeadsToThePage(String target, String location) throws IOException {
        for (String accept : List.of("*/*", PERSON)) {
            assertThat(raw(target, accept))
                    .startsWith("HTTP/1.1 308")
                    .contains("\r\nLocation: " + location + "\r\n");
        }
    }

    @Test
    void restKnowsNoSlashTooMany() throws IOException {
        assertThat(raw("/v1/leases/", PERSON)).startsWith("HTTP/1.1 404");
        assertThat(raw("/%761/leases/", PERSON)).startsWith("HTTP/1.1 404");
        assertThat(REST.post("/leases/", "{}").status()).isEqualTo(404);
        assertThat(REST.get("/").status()).isEqualTo(200);
    }

    /** As people type them, and browsers send them. */
    @Test
    void bracketsAndBarsNeedNoEncoding() throws IOException {
        assertThat(raw("/leases?q=[ff18::1]:5000", PERSON)).startsWith("HTTP/1.1 200");
        assertThat(raw("/v1/leases?job=a|b", "*/*")).startsWith("HTTP/1.1 200");
    }

    @Test
    void saysThatTheDatabaseIsAway() throws IOException {
        try (CuttableProxy proxy = new CuttableProxy(RunningService.databasePort());
                RunningService service = RunningService.replicaThrough(proxy.port())) {
            proxy.cut();
            Answer page = service.rest().get("/leases", "Accept", PERSON);
            assertPage(page, 503, "The database does not answer.");
            assertThat(page.response().headers().firstValueAsLong("Retry-After")).isPresent();
            assertThat(service.rest().get("/leases").problem()).isEqualTo("store-unavailable");
        }
    }

    @Test
    void aNewServiceSaysWhatToDoAndABrokenOneThatItFailed() throws IOException {
        Path directory = RunningService.newDirectory("new");
        try (RunningService service = RunningService.on(directory)) {
            Rest rest = service.rest();
            assertThat(rest.get("/").text()).contains("MADCAST_SERVICE=" + rest.origin());
            assertThat(rest.get("/leases").text())
                    .contains("Nothing is leased", "curl -s " + rest.origin() + "/v1/leases");
            assertThat(rest.get("/leases?q=x").text()).contains("No lease is like that.");
            assertThat(rest.get("/nodes").text()).contains("--service " + rest.origin());
            assertThat(rest.get("/pushes").text()).contains("--service " + rest.origin());
            service.jdbc().sql("alter table scope rename to gone").update();
            service.jdbc().sql("alter table lease rename to went").update();
            assertPage(rest.get("/leases", "Accept", PERSON), 500, "The service failed.");
            assertThat(rest.get("/leases").problem()).isEqualTo("internal-error");
        }
    }

    private static void assertPage(Answer answer, int status, String title) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.response().headers().firstValue("Content-Type").orElse(""))
                .startsWith("text/html");
        assertThat(answer.response().headers().firstValue("Content-Security-Policy")).isPresent();
        assertThat(answer.text()).contains("<h1>" + title + "</h1>", "aria-label=\"Pages\"");
    }

    /** The answer to a request whose target nothing checks before it is sent. */
    private static String raw(String target, String accept) throws IOException {
        URI origin = URI.create(REST.origin());
        try (Socket socket = new Socket(origin.getHost(), origin.getPort())) {
            socket.setSoTimeout(30_000);
            String request =
                    "GET %s HTTP/1.1\r\nHost: x\r\nAccept: %s\r\nConnection: close\r\n\r\n"
                            .formatted(target, accept);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
