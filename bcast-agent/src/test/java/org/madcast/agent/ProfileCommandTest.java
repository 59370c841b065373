package org.madcast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.sun.net.httpserver.HttpServer;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Profiles that ranks have written, as text and as pictures. */
class ProfileCommandTest {

    private static final long MS = 1_000_000;

    @TempDir private Path folder;

    /** The sums of a rank that was for {@code callMs} of 10 s in calls. */
    private static String sums(int rank, int size, long callMs, String peers) {
        return """
        {"profile":1,"rank":%d,"size":%d,"job":"j","host":"node-with-a-long-name","startEpochNs":%d,\
        "wallNs":10000000000,"callNs":%d,"waitNs":%d,"bytes":2048,"unrecorded":0,\
        "multicastBytes":1048576,"ops":[{"op":"allreduce","calls":2,"ns":%d,"waitNs":0,"bytes":2048,\
        "longestNs":2000000,"longestAt":"org.example.simulation.Main.advanceOneStep:42"},\
        {"op":"send","calls":1,"ns":5,"waitNs":0,"bytes":0,"longestNs":5}],"peers":%s}\
        """
                .formatted(
                        rank,
                        size,
                        1_000_000_000L * 1_000_000_000L,
                        callMs * MS,
                        callMs * MS / 2,
                        callMs * MS,
                        peers);
    }

    private static String call(String operation, long startMs, long tookMs, String communicator) {
        return """
        {"t":%d,"op":"%s","ns":%d,"waitNs":0,"bytes":8,"peer":0,"comm":"%s"}\
        """
                .formatted(startMs * MS, operation, tookMs * MS, communicator);
    }

    private void write(int rank, String... lines) throws Exception {
        Files.write(folder.resolve("rank-" + rank + ".jsonl"), List.of(lines));
    }

    private Outcome profile(String... options) {
        List<String> words = new ArrayList<>(List.of("profile", folder.toString()));
        words.addAll(List.of(options));
        return Outcome.of(words.toArray(String[]::new));
    }

    private static void assertFits(String text) {
        assertThat(text.lines()).allMatch(line -> line.length() <= 80, "80 columns");
    }

    @Test
    void fewRanksAreAllShownWithWhomTheyWaitedFor() throws Exception {
        write(0, sums(0, 2, 1000, "[[1,5,1048576,0]]"));
        write(1, sums(1, 2, 3000, "[[0,5,0,1500000000]]"));
        Outcome shown = profile();
        assertThat(shown.code()).as(shown.err()).isZero();
        assertFits(shown.out());
        assertThat(shown.out().lines().skip(1).limit(2))
                .satisfiesExactly(
                        first ->
                                assertThat(first)
                                        .containsPattern(
                                                "^ +0 .* 10\\.000 +1\\.000 +10\\.0 .* 2 MiB"),
                        second ->
                                assertThat(second)
                                        .containsPattern(
                                                "^ +1 .* 10\\.000 +3\\.000 +30\\.0 .* 1 MiB"));
        assertThat(shown.out().replaceAll("\\s+", " "))
                .contains(
                        "rank 1: allreduce 3.000 s (2 calls, 2 KiB, longest 0.002 s at"
                                + " org.example.simulation.Main.advanceOneStep:42), send 0.000 s (1 call)")
                .contains("waited most: rank 1 for rank 0 1.500 s")
                .contains("were waited for: rank 0 1.500 s");
    }

    @Test
    void ofManyRanksTheWorstTheMedianAndTheBestAreShown() throws Exception {
        for (int rank = 0; rank < 100; rank++) {
            write(rank, sums(rank, 100, 10 + 90 * ((rank + 50) % 100), "[]"));
        }
        Outcome shown = profile();
        assertFits(shown.out());
        assertThat(shown.out().lines()).hasSizeLessThan(25);
        List<String> rows = shown.out().lines().skip(1).limit(5).toList();
        assertThat(rows)
                .extracting(row -> row.strip().split(" ", 2)[0])
                .containsExactly("49", "48", "47", "99", "50");
        assertThat(rows.getFirst()).endsWith("most in calls");
        assertThat(rows.get(3)).endsWith("median");
        assertThat(rows.getLast()).endsWith("least in calls");
        assertThat(shown.out()).contains("all 100 ranks: allreduce 446.500 s (200 calls");
    }

    @Test
    void whoComesLastToCollectiveCallsIsFoundCallByCall() throws Exception {
        write(
                0,
                call("barrier", 10, 90, "a"),
                call("bcast", 200, 1, "a"),
                call("send", 1, 1, "a"),
                sums(0, 2, 91, "[]"));
        write(
                1,
                call("barrier", 100, 1, "a"),
                call("bcast", 170, 31, "a"),
                call("bcast", 900, 1, "other"),
                sums(1, 2, 32, "[]"));
        assertThat(profile().out().replaceAll("\\s+", " "))
                .contains(
                        "came last to collective calls:"
                                + " rank 1 1 times (the others were there 0.090 s before it),"
                                + " rank 0 1 times (the others were there 0.030 s before it)");
    }

    private static Document parse(Path file) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(Files.readString(file))));
    }

    private static List<Element> boxes(Document picture) {
        NodeList found = picture.getElementsByTagName("rect");
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .toList();
    }

    @Test
    void theMatrixHasACellForEachPairAndOneForMulticast() throws Exception {
        write(0, sums(0, 3, 1, "[[1,5,300000,0],[2,1,100,0]]"));
        write(1, sums(1, 3, 1, "[[0,1,0,0]]"));
        Path picture = folder.resolve("m.svg");
        assertThat(profile("--svg", picture.toString()).code()).isZero();
        List<Element> boxes = boxes(parse(picture));
        assertThat(boxes).hasSize(1 + 3 * 4);
        List<String> tips =
                boxes.stream()
                        .map(box -> box.getTextContent().strip())
                        .filter(tip -> !tip.isEmpty())
                        .toList();
        assertThat(tips)
                .containsExactly(
                        "rank 0 to rank 1: 293.0 KiB",
                        "rank 0 to rank 2: 100 B",
                        "rank 0 to all by multicast: 1 MiB",
                        "rank 1 to all by multicast: 1 MiB");
    }

    @Test
    void aPictureOfManyRanksStaysSmall() throws Exception {
        String peers =
                IntStream.range(0, 500).mapToObj(i -> "[" + i + ",1,1000,0]").toList().toString();
        String[] calls =
                Stream.concat(
                                IntStream.range(0, 2000)
                                        .mapToObj(i -> call("send", 5L * i, 3, "a")),
                                Stream.of(sums(0, 500, 6000, peers)))
                        .toArray(String[]::new);
        write(0, calls);
        Path matrix = folder.resolve("m.svg");
        Path timeline = folder.resolve("t.svg");
        assertThat(profile("--svg", matrix.toString(), "--timeline", timeline.toString()).code())
                .isZero();
        assertThat(boxes(parse(matrix))).hasSizeLessThan(1 + 128 * 129 + 1);
        assertThat(boxes(parse(timeline))).hasSizeLessThan(1300);
        assertThat(Files.readString(matrix)).contains("ranks 0 to 3 to ranks 4 to 7: 3.9 KiB");
    }

    @Test
    void theTimeLineShowsWhenARankWasInWhichCall() throws Exception {
        write(0, call("recv", 2500, 5000, "a"), sums(0, 1, 5000, "[]"));
        Path picture = folder.resolve("t.svg");
        assertThat(profile("--timeline", picture.toString()).code()).isZero();
        Document document = parse(picture);
        List<Element> wide =
                boxes(document).stream()
                        .filter(box -> box.getAttribute("width").equals("600.0"))
                        .toList();
        assertThat(wide).hasSize(1);
        assertThat(wide.getFirst().getAttribute("x")).isEqualTo("370.0");
        assertThat(document.getDocumentElement().getTextContent())
                .contains("recv")
                .contains("rank 0");
    }

    private static final String SECOND_PAGE =
            """
            {"items": [{"id": "b", "size": 2, "parent": "a"}, {"id": "c", "size": 2}, {"id": "d", "size": 2}]}
            """;

    /** The latest communicator of the job with as many ranks, and no part of one. */
    @Test
    void itIsHandedInToTheServiceSummarised() throws Exception {
        write(0, call("recv", 2500, 5000, "a"), sums(0, 2, 5000, "[[1,5,300000,0]]"));
        write(1, sums(1, 2, 1, "[[0,1,7,0]]"));
        List<String> put = new CopyOnWriteArrayList<>();
        HttpServer http =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext(
                "/v1/communicators",
                exchange -> {
                    boolean asks = exchange.getRequestMethod().equals("GET");
                    if (!asks) {
                        put.add(exchange.getRequestURI().getPath());
                        put.add(
                                new String(
                                        exchange.getRequestBody().readAllBytes(),
                                        StandardCharsets.UTF_8));
                    }
                    String query = String.valueOf(exchange.getRequestURI().getQuery());
                    String full = "{\"id\":\"a\",\"size\":3},".repeat(199);
                    byte[] answer =
                            (query.endsWith("&job=j&page=0")
                                            ? "{\"items\":[" + full + "{\"id\":\"e\",\"size\":3}]}"
                                            : query.endsWith("&job=j&page=1") ? SECOND_PAGE : "")
                                    .getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(asks ? 200 : 204, asks ? answer.length : -1);
                    exchange.getResponseBody().write(answer);
                    exchange.close();
                });
        http.start();
        String service = "http://127.0.0.1:" + http.getAddress().getPort();
        try {
            Outcome done = profile("--upload", "--service", service);
            assertThat(done.code()).as(done.err()).isZero();
            assertThat(done.out()).endsWith("handed in; see " + service + "/communicators/c\n");
        } finally {
            http.stop(0);
        }
        assertThat(put.getFirst()).isEqualTo("/v1/communicators/c/profile");
        JsonObject sent = JsonParser.object().from(put.getLast());
        assertThat(sent.getInt("ranks")).isEqualTo(2);
        assertThat(sent.getLong("milliseconds")).isEqualTo(10_000);
        JsonArray rows = sent.getArray("rows");
        assertThat(rows.getObject(0).getArray("sentBytes")).containsExactly(0, 300_000);
        assertThat(rows.getObject(1).getArray("sentBytes")).containsExactly(7, 0);
        assertThat(rows.getObject(0).getLong("multicastBytes")).isEqualTo(1 << 20);
        JsonArray percents = rows.getObject(0).getArray("callPercent");
        assertThat(percents).hasSize(120);
        assertThat(percents.subList(30, 90)).containsOnly(100);
        assertThat(percents.subList(0, 30)).containsOnly(0);
        assertThat(percents.subList(90, 120)).containsOnly(0);
        Outcome without = profile("--upload", "--service", "");
        assertThat(without.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(without.err().lines()).singleElement().asString().contains("needs a --service");
    }

    @Test
    void whatIsNoProfileIsNamed() throws Exception {
        assertRefused("has no profiles");
        write(0, "{\"t\":1}");
        assertRefused("rank-0.jsonl: has no sums at its end");
        write(0, "hello");
        assertRefused("rank-0.jsonl: from line 1 on: ");
        write(0, "{\"profile\":9}");
        assertRefused("rank-0.jsonl: from line 1 on: a profile of version 9");
        write(0, sums(0, 2, 1, "[[7,1,1,1]]"));
        assertRefused("partner 7 of 2 ranks");
        write(0, sums(0, 2, 1, "[]"));
        write(1, sums(0, 2, 1, "[]"));
        assertRefused("two of the profiles are of rank 0");
        write(1, sums(1, 3, 1, "[]"));
        assertRefused("different numbers of ranks");
        Outcome missing = Outcome.of("profile", folder.resolve("none").toString());
        assertThat(missing.code()).isEqualTo(ExitCode.NO_INPUT.code());
    }

    private void assertRefused(String why) {
        Outcome refused = profile();
        assertThat(refused.code()).isEqualTo(ExitCode.NO_INPUT.code());
        assertThat(refused.err().lines()).hasSize(1);
        assertThat(refused.err()).contains(why);
        assertThat(refused.out()).isEmpty();
    }
}
