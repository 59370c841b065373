package org.madcast.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.madcast.benchmarks.report.Measurement.Origin;

/**
 * The numbers of {@code benchmarks/results}. Of measurements with the same area, claim and metric
 * the latest counts; of runs with the same settings all of the latest day count, one for each
 * launch.
 */
final class Results {

    private final List<Measurement> measurements = new ArrayList<>();
    private final List<Run> runs = new ArrayList<>();
    private final List<Run> comparison = new ArrayList<>();
    private final List<Run> collectives = new ArrayList<>();

    private final List<Overlaps.Overlap> overlaps = new ArrayList<>();

    private record Claim(Origin origin, Map<String, Object> record) {}

    static Results read(Path directory) throws IOException {
        Results results = new Results();
        List<Claim> claims = new ArrayList<>();
        try (Stream<Path> found = Files.walk(directory)) {
            for (Path path :
                    found.filter(it -> it.toString().endsWith(".json")).sorted().toList()) {
                String file = directory.relativize(path).toString();
                try {
                    results.add(file, Json.object(Files.readString(path)), claims);
                } catch (IllegalArgumentException | ClassCastException e) {
                    throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
                }
            }
        }
        for (Claim claim : claims) {
            results.measurements.add(results.measurement(claim));
        }
        return results;
    }

    private void add(String file, Map<String, Object> json, List<Claim> claims) {
        List<Run> target =
                file.startsWith("comparison")
                        ? comparison
                        : file.startsWith("collectives") ? collectives : runs;
        for (Map<String, Object> row : Json.objects(json, "rows")) {
            Origin origin = origin(file, json, Map.of());
            if (Json.string(row, "mode").equals("overlap")) {
                overlaps.add(Overlaps.Overlap.of(row, origin));
            } else {
                target.add(Run.of(row, origin));
            }
        }
        for (Map<String, Object> each : Json.objects(json, "records")) {
            Map<String, Object> record = new LinkedHashMap<>(json);
            record.putAll(each);
            claims.add(new Claim(origin(file, json, each), record));
        }
    }

    @SuppressWarnings("unchecked")
    private static Origin origin(
            String file, Map<String, Object> json, Map<String, Object> record) {
        Map<String, Object> fields = new LinkedHashMap<>(json);
        if (json.get("machine") instanceof Map<?, ?> described) {
            Map<String, Object> machine = (Map<String, Object>) described;
            fields.put("machine", describe(machine));
            fields.putIfAbsent("date", Json.string(machine, "measuredAt"));
        }
        fields.putAll(record);
        return new Origin(
                file,
                Json.string(fields, "command"),
                Json.string(fields, "machine"),
                Json.string(fields, "date"),
                Json.string(fields, "commit"));
    }

    private static String describe(Map<String, Object> machine) {
        return "%s, %d cores, %s"
                .formatted(
                        Json.string(machine, "processor"),
                        (int) Json.number(machine, "cores"),
                        Json.string(machine, "system"));
    }

    @SuppressWarnings("unchecked")
    private Measurement measurement(Claim claim) {
        Map<String, Object> record = claim.record();
        String name = Json.string(record, "claim");
        List<Double> values = (List<Double>) record.getOrDefault("values", List.of());
        Origin origin = claim.origin();
        if (record.get("run") instanceof Map<?, ?> settings) {
            List<Run> matching = matching((Map<String, Object>) settings);
            values = matching.stream().map(run -> value(record, run)).toList();
            origin = matching.isEmpty() ? origin : matching.getFirst().origin();
        }
        if (record.get("overlap") instanceof Map<?, ?> settings) {
            List<Overlaps.Overlap> matching = hiding((Map<String, Object>) settings);
            values = matching.stream().map(it -> Math.rint(it.hidden() * 1e3) / 10).toList();
            origin = matching.isEmpty() ? origin : matching.getFirst().origin();
        }
        if (values.isEmpty() || values.stream().anyMatch(value -> value.isNaN())) {
            throw new IllegalArgumentException(
                    claim.origin().file() + ": '" + name + "' has no values, or no run has them");
        }
        String direction = Json.string(record, "direction");
        if (record.containsKey("bar") && !direction.matches("at (most|least)")) {
            throw new IllegalArgumentException(
                    claim.origin().file()
                            + ": '"
                            + name
                            + "': direction is 'at most' or 'at least'");
        }
        return new Measurement(
                Json.string(record, "area"),
                name,
                Json.string(record, "metric"),
                Json.string(record, "unit"),
                values,
                Json.number(record, "bar"),
                direction.equals("at most"),
                Json.string(record, "note"),
                origin);
    }

    private List<Run> matching(Map<String, Object> settings) {
        double calls = settings.containsKey("calls") ? Json.number(settings, "calls") : 1;
        return Stream.concat(latest().stream(), collectives.stream().filter(Run::isOurs))
                .filter(run -> run.variant().equals(Json.string(settings, "algorithm")))
                .filter(run -> run.calls() == calls)
                .filter(run -> run.ranks() == Json.number(settings, "ranks"))
                .filter(run -> run.rate().equals(Json.string(settings, "rate")))
                .filter(run -> run.lossPercent() == Json.number(settings, "lossPercent"))
                .filter(run -> run.sizeBytes() == Json.number(settings, "sizeBytes"))
                .toList();
    }

    private List<Overlaps.Overlap> hiding(Map<String, Object> settings) {
        return overlaps.stream()
                .filter(it -> it.call().equals(Json.string(settings, "algorithm")))
                .filter(it -> it.ranks() == Json.number(settings, "ranks"))
                .filter(it -> it.sizeBytes() == Json.number(settings, "sizeBytes"))
                .toList();
    }

    private double value(Map<String, Object> record, Run run) {
        double value = derived(record, run);
        return Double.isNaN(value) ? value : Math.rint(value * 1e3) / 1e3;
    }

    private double derived(Map<String, Object> record, Run run) {
        return switch (Json.string(record, "metric")) {
            case "times the floor" -> run.timesFloor();
            case "median" -> run.lastUs() / 1e3;
            case "times Open MPI's best" ->
                    run.lastUs()
                            / Collectives.best(collectives, run)
                                    .map(Run::lastUs)
                                    .orElse(Double.NaN);
            case "by `mpi`, times Open MPI's best" ->
                    Collectives.byModule(collectives, run).map(Run::lastUs).orElse(Double.NaN)
                            / Collectives.best(collectives, run)
                                    .map(Run::lastUs)
                                    .orElse(Double.NaN);
            case "p99 of repairs" -> run.repairP99Us() / 1e3;
            case "times the lossless time" -> run.lastUs() / other(run, run.ranks(), 0);
            case "times the time of 4 hosts" -> run.lastUs() / other(run, 4, run.lossPercent());
            default -> Double.NaN;
        };
    }

    private double other(Run run, int ranks, double lossPercent) {
        return latest().stream()
                .filter(it -> it.variant().equals(run.variant()) && it.rate().equals(run.rate()))
                .filter(it -> it.ranks() == ranks && it.sizeBytes() == run.sizeBytes())
                .filter(it -> it.lossPercent() == lossPercent)
                .mapToDouble(Run::lastUs)
                .average()
                .orElse(Double.NaN);
    }

    /** The runs of Madcast; for each setting those of the latest day. */
    List<Run> latest() {
        Map<String, String> days = new LinkedHashMap<>();
        for (Run run : runs) {
            days.merge(key(run), run.origin().day(), (a, b) -> a.compareTo(b) > 0 ? a : b);
        }
        return runs.stream()
                .filter(run -> run.origin().day().equals(days.get(key(run))))
                .sorted(Comparator.comparingInt(Run::sizeBytes))
                .toList();
    }

    private static String key(Run run) {
        return run.variant() + " " + run.setting() + " " + run.sizeBytes();
    }

    /** The runs of all systems of one session. */
    List<Run> comparison() {
        return comparison;
    }

    /** The runs of other collective calls than broadcasts, of Madcast and of Open MPI. */
    List<Run> collectives() {
        return collectives;
    }

    /** What computations hid of non-blocking calls. */
    List<Overlaps.Overlap> overlaps() {
        return overlaps;
    }

    /** The measurements, the latest of each claim, in the order of the files. */
    List<Measurement> measurements() {
        Map<String, Measurement> latest = new LinkedHashMap<>();
        for (Measurement each : measurements) {
            latest.merge(
                    each.area() + "/" + each.claim() + "/" + each.metric(), each, Results::later);
        }
        return List.copyOf(latest.values());
    }

    private static Measurement later(Measurement a, Measurement b) {
        int order = a.origin().date().compareTo(b.origin().date());
        if (order == 0) {
            throw new IllegalArgumentException(
                    "%s and %s have '%s' of one date; give both values in one record, or a time"
                            .formatted(a.origin().file(), b.origin().file(), a.claim()));
        }
        return order > 0 ? a : b;
    }
}
