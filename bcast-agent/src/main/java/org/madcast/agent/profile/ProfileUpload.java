package org.madcast.agent.profile;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.time.Instant;
import java.util.List;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.service.ServiceClient;
import org.madcast.agent.service.ServiceOptions;

/** Hands the profiles of a job in to the service, summarised, so that the job's page shows them. */
final class ProfileUpload {

    private static final int MOST_ROWS = 64;
    private static final int STEPS = 120;
    private static final int PAGE_SIZE = 200;
    private static final long MOST_BYTES = 1L << 53;

    private final List<ProfileFile> files;
    private final int ranks;
    private final int together;
    private final int rows;
    private final long startNs;
    private final long lengthNs;

    ProfileUpload(List<ProfileFile> files) {
        this.files = files;
        ranks = files.getFirst().sums().size();
        together = Math.ceilDiv(ranks, MOST_ROWS);
        rows = Math.ceilDiv(ranks, together);
        startNs = files.stream().mapToLong(it -> it.sums().startEpochNs()).min().orElse(0);
        long endNs =
                files.stream()
                        .mapToLong(it -> it.sums().startEpochNs() + it.sums().wallNs())
                        .max()
                        .orElse(0);
        lengthNs = Math.max(1, endNs - startNs);
    }

    /**
     * Puts it to the latest communicator of the job that has as many ranks.
     *
     * @return the page that shows it, without the service's address
     * @throws CommandFailure if the service knows none, or refuses
     */
    String send(ServiceClient service) throws InterruptedException {
        String job = files.getFirst().sums().job();
        String list =
                "/v1/communicators?ended=true&size=%d&job=%s&page="
                        .formatted(PAGE_SIZE, ServiceOptions.encoded(job));
        JsonArray known;
        int page = 0;
        do {
            known = service.get(list + page).getArray("items", new JsonArray());
            for (int i = 0; i < known.size(); i++) {
                JsonObject each = known.getObject(i);
                if (each.getInt("size", 0) == ranks && !each.has("parent")) {
                    String path = "/communicators/" + each.getString("id", "");
                    JsonObject _ = service.put("/v1" + path + "/profile", json());
                    return path;
                }
            }
            page++;
        } while (known.size() == PAGE_SIZE);
        throw new CommandFailure(
                ExitCode.SERVICE,
                "the service knows no communicator of %d ranks of job '%s'".formatted(ranks, job));
    }

    JsonObject json() {
        long[][] sent = new long[rows][rows];
        long[] multicast = new long[rows];
        double[][] inCalls = new double[rows][STEPS];
        int[] there = new int[rows];
        for (ProfileFile file : files) {
            int row = file.sums().rank() / together;
            there[row]++;
            multicast[row] += file.sums().multicastBytes();
            file.sums().partners().forEach(it -> sent[row][it.rank() / together] += it.bytes());
            file.calls().forEach(call -> add(call, file.sums().startEpochNs(), inCalls[row]));
        }
        JsonArray all = new JsonArray();
        for (int row = 0; row < rows; row++) {
            JsonArray bytes = new JsonArray();
            for (long each : sent[row]) {
                bytes.add(Math.min(MOST_BYTES, each));
            }
            JsonArray percents = new JsonArray();
            for (double steps : inCalls[row]) {
                percents.add(
                        (int) Math.min(100, Math.round(100 * steps / Math.max(1, there[row]))));
            }
            JsonObject one = new JsonObject();
            one.put("multicastBytes", Math.min(MOST_BYTES, multicast[row]));
            one.put("sentBytes", bytes);
            one.put("callPercent", percents);
            all.add(one);
        }
        JsonObject json = new JsonObject();
        json.put("ranks", ranks);
        json.put("from", Instant.ofEpochSecond(0, startNs).toString());
        json.put("milliseconds", Math.max(1, lengthNs / 1_000_000));
        json.put("rows", all);
        return json;
    }

    /** The parts of the steps that a call took. */
    private void add(ProfiledCall call, long epochNs, double[] steps) {
        double nsOfAStep = (double) lengthNs / STEPS;
        double from = Math.max(0, (epochNs + call.startNs() - startNs) / nsOfAStep);
        double to = Math.min(STEPS, from + call.tookNs() / nsOfAStep);
        for (int step = (int) from; step < to; step++) {
            steps[step] += Math.min(to, step + 1) - Math.max(from, step);
        }
    }
}
