package org.madcast.client.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lists of names as Slurm writes them: {@code n[00-07,12],login}. Pure. */
public final class HostList {

    private static final int MOST = 100_000;
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

    private HostList() {}

    /**
     * The names that a list stands for, in its order.
     *
     * @throws IllegalArgumentException when it is none, or stands for more than 100,000 names
     */
    public static List<String> expand(String list) {
        List<String> names = new ArrayList<>();
        int start = 0;
        int depth = 0;
        for (int i = 0; i <= list.length(); i++) {
            char at = i < list.length() ? list.charAt(i) : ',';
            depth += at == '[' ? 1 : at == ']' ? -1 : 0;
            if (depth < 0 || depth > 1) {
                throw new IllegalArgumentException("the brackets of '" + list + "' do not match");
            }
            if (at == ',' && depth == 0) {
                one(list.substring(start, i), list, names);
                start = i + 1;
            }
        }
        if (depth != 0) {
            throw new IllegalArgumentException("the brackets of '" + list + "' do not match");
        }
        return List.copyOf(names);
    }

    private static void one(String part, String list, List<String> names) {
        if (part.isEmpty()) {
            throw new IllegalArgumentException("'" + list + "' has an empty name");
        }
        int open = part.indexOf('[');
        if (open < 0) {
            add(names, part, list);
            return;
        }
        int close = part.indexOf(']');
        for (String range : part.substring(open + 1, close).split(",", -1)) {
            for (String number : numbers(range, list)) {
                one(part.substring(0, open) + number + part.substring(close + 1), list, names);
            }
        }
    }

    private static List<String> numbers(String range, String list) {
        Matcher matcher = RANGE.matcher(range);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'%s' in '%s' is not a number such as 7 or a range such as 00-15"
                            .formatted(range, list));
        }
        String first = matcher.group(1);
        int low = Integer.parseInt(first);
        int high = matcher.group(2) == null ? low : Integer.parseInt(matcher.group(2));
        if (high < low || high - low >= MOST) {
            throw new IllegalArgumentException(
                    "the range '%s' in '%s' is empty or too long".formatted(range, list));
        }
        List<String> numbers = new ArrayList<>();
        for (int number = low; number <= high; number++) {
            String digits = Integer.toString(number);
            numbers.add("0".repeat(Math.max(0, first.length() - digits.length())) + digits);
        }
        return numbers;
    }

    private static void add(List<String> names, String name, String list) {
        if (names.size() == MOST) {
            throw new IllegalArgumentException(
                    "'%s' stands for more than %d names".formatted(list, MOST));
        }
        names.add(name);
    }
}
