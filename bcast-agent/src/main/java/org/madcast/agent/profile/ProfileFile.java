package org.madcast.agent.profile;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.terminal.FileTrouble;

/** The profile of a rank: its sums, and its calls in the order in which they ended. */
record ProfileFile(RankProfile sums, List<ProfiledCall> calls) {

    private static final int LINES_AT_ONCE = 2000;

    /** A profile. */
    ProfileFile {
        calls = List.copyOf(calls);
    }

    /**
     * Reads files, and those in folders; in the order of ranks.
     *
     * @throws CommandFailure if one cannot be read or is no profile, or if two are of one rank
     */
    static List<ProfileFile> readAll(List<Path> paths) {
        return readAll(paths, true);
    }

    /** Reads the sums alone, in the order of ranks; otherwise the same. */
    static List<RankProfile> readSums(List<Path> paths) {
        return readAll(paths, false).stream().map(ProfileFile::sums).toList();
    }

    private static List<ProfileFile> readAll(List<Path> paths, boolean calls) {
        List<ProfileFile> profiles =
                new ArrayList<>(
                        paths.stream()
                                .flatMap(ProfileFile::files)
                                .map(file -> read(file, calls))
                                .toList());
        if (profiles.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT, paths + " has no profiles, rank-0.jsonl ...");
        }
        profiles.sort(Comparator.comparingInt(it -> it.sums().rank()));
        Set<Integer> ranks = new TreeSet<>();
        for (ProfileFile each : profiles) {
            if (!ranks.add(each.sums().rank())) {
                throw new CommandFailure(
                        ExitCode.NO_INPUT, "two of the profiles are of rank " + each.sums().rank());
            }
            if (each.sums().size() != profiles.getFirst().sums().size()) {
                throw new CommandFailure(
                        ExitCode.NO_INPUT,
                        "the profiles are of jobs with different numbers of ranks");
            }
        }
        return profiles;
    }

    private static Stream<Path> files(Path path) {
        if (!Files.isDirectory(path)) {
            return Stream.of(path);
        }
        try (Stream<Path> inside = Files.list(path)) {
            return inside
                    .filter(file -> String.valueOf(file.getFileName()).endsWith(".jsonl"))
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException failed) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT, path + ": " + FileTrouble.of(failed), failed);
        }
    }

    private static ProfileFile read(Path file, boolean withCalls) {
        List<ProfiledCall> calls = new ArrayList<>();
        RankProfile sums = null;
        int number = 1;
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            List<String> some = next(lines);
            while (!some.isEmpty()) {
                // One line at a time would be slow: the parser makes a large buffer each time.
                JsonArray array = JsonParser.array().from("[" + String.join(",\n", some) + "]");
                for (int i = 0; i < array.size(); i++) {
                    JsonObject line = array.getObject(i, new JsonObject());
                    if (RankProfile.isSummary(line)) {
                        sums = RankProfile.of(line);
                    } else if (withCalls) {
                        calls.add(ProfiledCall.of(line));
                    }
                }
                number += some.size();
                some = next(lines);
            }
        } catch (JsonParserException | IllegalArgumentException malformed) {
            throw failure(
                    file, "from line " + number + " on: " + malformed.getMessage(), malformed);
        } catch (UncheckedIOException failed) {
            throw failure(file, "cannot be read: " + failed.getMessage(), failed);
        } catch (IOException failed) {
            throw failure(file, "cannot be read: " + FileTrouble.of(failed), failed);
        }
        if (sums == null) {
            throw failure(file, "has no sums at its end; was the rank killed?", null);
        }
        return new ProfileFile(sums, calls);
    }

    private static List<String> next(BufferedReader lines) throws IOException {
        List<String> some = new ArrayList<>();
        String line = "";
        while (some.size() < LINES_AT_ONCE && line != null) {
            line = lines.readLine();
            if (line != null) {
                some.add(line);
            }
        }
        return some;
    }

    private static CommandFailure failure(Path file, String what, @Nullable Exception why) {
        return new CommandFailure(ExitCode.NO_INPUT, file + ": " + what, why);
    }
}
