package org.madcast.agent.service;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.terminal.Table;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What the service lists, as a table of 80 columns or as the JSON that it came in. For one thread.
 */
public final class Listing {

    /** What fits a terminal; other programs read JSON. */
    static final int COLUMNS = 80;

    private final Map<String, Function<JsonObject, Object>> columns = new LinkedHashMap<>();
    private final Set<String> cut = new HashSet<>();

    /** Adds a column. */
    public Listing column(String title, Function<JsonObject, Object> cell) {
        columns.put(title, cell);
        return this;
    }

    /** Adds a column of a field's text, or a dash, which is cut where the line gets too long. */
    public Listing field(String title, String field) {
        cut.add(title);
        return column(title, it -> text(it, field));
    }

    /** Prints it; where there is nothing, the sentence for that. */
    public void print(
            CommandSpec command,
            ServiceOptions options,
            JsonObject answer,
            String items,
            String none) {
        PrintWriter out = command.commandLine().getOut();
        JsonArray all = answer.getArray(items, new JsonArray());
        if (options.json()) {
            out.println(JsonWriter.string(answer));
        } else if (all.isEmpty()) {
            out.println(none);
        } else {
            table(all).print(out, COLUMNS, cut);
        }
    }

    private Table table(JsonArray all) {
        Table table = new Table(columns.keySet().toArray(String[]::new));
        Iterator<Object> items = all.iterator();
        while (items.hasNext()) {
            JsonObject item = (JsonObject) items.next();
            table.row(columns.values().stream().map(it -> it.apply(item)).toArray());
        }
        return table;
    }

    /** A field as text; a dash where there is none. */
    static String text(JsonObject of, String field) {
        Object value = of.get(field);
        return value == null ? "-" : value.toString();
    }

    /** A time to the second, without what is the same in all. */
    public static String moment(JsonObject of, String field) {
        return of.has(field) ? LeaseText.time(of, field).replace('T', ' ').replace("Z", "") : "-";
    }

    /** The elements of a list, separated by commas. */
    static String joined(@Nullable JsonArray array) {
        StringJoiner text = new StringJoiner(",").setEmptyValue("-");
        if (array != null) {
            array.forEach(it -> text.add(String.valueOf(it)));
        }
        return text.toString();
    }

    /** A query with those of its parameters that have a value. */
    static String query(String path, Map<String, ? extends @Nullable Object> parameters) {
        StringJoiner query = new StringJoiner("&", path + "?", "").setEmptyValue(path);
        parameters.forEach((name, value) -> {
            if (value != null) {
                query.add(name + "=" + ServiceOptions.encoded(value.toString()));
            }
        });
        return query.toString();
    }
}
