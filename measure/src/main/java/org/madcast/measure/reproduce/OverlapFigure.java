package org.madcast.measure.reproduce;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Of seed 004, sections IV.2.5 and IV.3.4.3: NBCBench. Nothing is run: the numbers are those that
 * {@code madcast bench --mode overlap} left in {@code benchmarks/results/collectives}, which are
 * part of the program.
 */
final class OverlapFigure {

    private static final List<String> RECORDS = List.of("overlap.json", "overlap-long.json");
    private static final double PERCENT = 100;
    private static final double KIB = 1024;

    /** The thesis's conclusion (part VI): benefits vary between 80 and 99 %. */
    private static final double LEAST_PUBLISHED = 80;

    private OverlapFigure() {}

    static Figure figure() {
        return new Figure(
                "004-IV.6",
                "what computation hides of non-blocking calls (NBCBench), measured",
                "there: Coyote, InfiniBand, 128 processes on nodes of two processors; here: not"
                        + " simulated but measured, 16 hosts of the lab at 100 Mbit/s that sleep in"
                        + " place of computing (docs/measurements/collectives.md)",
                "KiB; percent of a call's time that a program does not wait",
                "The curves are pictures; the thesis says that an all-to-all by threads frees nearly 100 % of a"
                        + " processor as long as each thread has one, and of all calls that benefits vary"
                        + " between 80 and 99 %. Calls shorter than some milliseconds are hidden less"
                        + " here: 16 hosts share two processors, so a rank that has slept waits for its"
                        + " turn, and that is counted as waiting for the call.",
                OverlapFigure::run);
    }

    /** Of each call what is hidden, by the size in bytes. */
    private static Map<String, Map<Integer, Double>> hidden() {
        Map<String, Map<Integer, Double>> hidden = new LinkedHashMap<>();
        for (String record : RECORDS) {
            JsonArray rows = read(record).getArray("rows");
            for (int i = 0; i < rows.size(); i++) {
                JsonObject row = rows.getObject(i);
                hidden.computeIfAbsent(row.getString("algorithm"), _ -> new LinkedHashMap<>())
                        .put(row.getInt("sizeBytes"), PERCENT * row.getDouble("hidden"));
            }
        }
        return hidden;
    }

    private static JsonObject read(String record) {
        try (InputStream in = OverlapFigure.class.getResourceAsStream(record)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks " + record);
            }
            return JsonParser.object().from(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (JsonParserException e) {
            throw new IllegalStateException(record + ": " + e.getMessage(), e);
        }
    }

    private static void run(Finding finding) {
        Map<String, Map<Integer, Double>> hidden = hidden();
        hidden.forEach((call, bySize) -> {
            bySize.forEach((bytes, percent) -> finding.place(call, bytes / KIB, percent));
            double[] all = bySize.values().stream().mapToDouble(it -> it).toArray();
            boolean alltoall = call.equals("alltoall");
            finding.add(
                    call + ": at 1 MiB",
                    "%",
                    alltoall ? PERCENT : LEAST_PUBLISHED,
                    all[all.length - 1],
                    alltoall ? Expectation.NEAR : Expectation.AT_LEAST);
            finding.add(call + ": at 16 KiB", "%", LEAST_PUBLISHED, all[0], Expectation.AT_LEAST);
        });
        finding.progress(1);
    }
}
