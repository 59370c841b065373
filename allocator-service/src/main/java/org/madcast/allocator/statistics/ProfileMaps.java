package org.madcast.allocator.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.madcast.allocator.communicator.Profile;
import org.madcast.allocator.web.page.Grid;
import org.madcast.allocator.web.page.Show;

/** Pictures of a profile: who sent how much to whom, and who was in calls when. */
final class ProfileMaps {

    private static final int MARKS = 4;

    private ProfileMaps() {}

    /** The communication matrix and the time line. */
    static List<HeatMaps.Map2d> of(Profile profile) {
        return List.of(matrix(profile), timeLine(profile));
    }

    /** A row for each sender, a column for each receiver, and one for what was multicast. */
    private static HeatMaps.Map2d matrix(Profile profile) {
        int rows = profile.rows().size();
        long most = 1;
        for (Profile.Row row : profile.rows()) {
            most = Math.max(most, row.multicastBytes());
            for (long bytes : row.sentBytes()) {
                most = Math.max(most, bytes);
            }
        }
        Grid grid = new Grid(rows + 1, rows);
        for (int from = 0; from < rows; from++) {
            Profile.Row row = profile.rows().get(from);
            for (int to = 0; to < rows; to++) {
                paint(grid, to, from, bytesShade(row.sentBytes().get(to), most));
            }
            paint(grid, rows, from, bytesShade(row.multicastBytes(), most));
        }
        List<String> shades = new ArrayList<>(List.of("none"));
        for (int shade = 1; shade < Grid.SHADES; shade++) {
            shades.add("≤ " + Show.bytes(Math.max(1, most >> (2 * (Grid.SHADES - shade)))));
        }
        shades.add("≤ " + Show.bytes(most));
        List<String> columns = new ArrayList<>(names(profile).stream().map("to "::concat).toList());
        columns.add("to all by multicast");
        return map(
                profile,
                "Bytes sent, from the row's rank to the column's",
                grid,
                shades,
                columns,
                List.of("to rank 0", "to all by multicast"));
    }

    /** Each shade a quarter of the next one. */
    private static int bytesShade(long bytes, long most) {
        int shade = bytes == 0 ? 0 : Grid.SHADES;
        for (long bound = most >> 2; shade > 1 && bytes <= bound; bound >>= 2) {
            shade--;
        }
        return shade;
    }

    private static HeatMaps.Map2d timeLine(Profile profile) {
        int steps = profile.rows().getFirst().callPercent().size();
        double stepSeconds = profile.milliseconds() / 1e3 / steps;
        Grid grid = new Grid(steps, profile.rows().size());
        for (int row = 0; row < profile.rows().size(); row++) {
            List<Integer> percents = profile.rows().get(row).callPercent();
            for (int step = 0; step < steps; step++) {
                paint(grid, step, row, Math.ceilDiv(percents.get(step) * Grid.SHADES, 100));
            }
        }
        List<String> shades = new ArrayList<>(List.of("none"));
        for (int shade = 1; shade <= Grid.SHADES; shade++) {
            shades.add("≤ " + 100 * shade / Grid.SHADES + " %");
        }
        return map(
                profile,
                "Share of time in calls",
                grid,
                shades,
                IntStream.range(0, steps)
                        .mapToObj(it -> "after " + seconds(it * stepSeconds))
                        .toList(),
                IntStream.rangeClosed(0, MARKS)
                        .mapToObj(it -> seconds(it * steps * stepSeconds / MARKS))
                        .toList());
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.3g s", seconds);
    }

    private static void paint(Grid grid, int column, int row, int shade) {
        if (shade > 0) {
            grid.paint(column, row, shade);
        }
    }

    private static HeatMaps.Map2d map(
            Profile profile,
            String title,
            Grid grid,
            List<String> shades,
            List<String> columns,
            List<String> marks) {
        List<String> names = names(profile);
        return new HeatMaps.Map2d(
                title,
                "duration",
                grid.svg("duration", title, new Grid.Scale(names, shades, columns)),
                names.size() == 1 ? names : List.of(names.getFirst(), names.getLast()),
                false,
                marks,
                HeatMaps.legend(shades, 1));
    }

    private static List<String> names(Profile profile) {
        return HeatMaps.rowNames(profile.ranks(), profile.together());
    }
}
