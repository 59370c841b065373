package org.madcast.mpi;

import java.io.IOException;
import java.io.InputStream;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The signatures of an API that programs were compiled against: a line for each class, and below
 * it, indented, one for each of its fields, constructors and methods.
 */
final class SignatureList {

    private static final Pattern CLASS =
            Pattern.compile(
                    "(?:abstract |final )*(?:class|interface) (\\w+)(?: extends (\\w+))?"
                            + "(?: implements ([\\w, ]+))?");
    private static final Pattern METHOD =
            Pattern.compile(
                    "((?:\\w+ )*?)(?:<T extends Data> )?(?:([\\w.\\[\\]]+) )?(\\w+)\\((.*)\\)");
    private static final Pattern FIELD =
            Pattern.compile("((?:static |final )*)([\\w.\\[\\]]+) (\\w+(?:, \\w+)*)");

    private static final Map<String, Class<?>> TYPES = new HashMap<>();

    static {
        for (Class<?> type :
                List.of(
                        byte.class,
                        char.class,
                        short.class,
                        boolean.class,
                        int.class,
                        long.class,
                        float.class,
                        double.class,
                        void.class,
                        Object.class,
                        String.class,
                        Throwable.class,
                        Comparable.class,
                        Cloneable.class,
                        Exception.class,
                        RuntimeException.class,
                        Buffer.class,
                        ByteBuffer.class,
                        CharBuffer.class,
                        ShortBuffer.class,
                        IntBuffer.class,
                        LongBuffer.class,
                        FloatBuffer.class,
                        DoubleBuffer.class)) {
            TYPES.put(type.getSimpleName(), type);
        }
    }

    /** A class, by its simple name, and what it extends or implements. */
    record Listed(String name, List<String> supertypes, List<Member> members) {}

    /**
     * A field, method or constructor.
     *
     * @param text as the list has it, without modifiers but static
     * @param type of the field or the result; empty for a constructor
     * @param parameters null for a field
     */
    record Member(
            String text,
            String owner,
            String name,
            String type,
            boolean isStatic,
            @Nullable List<String> parameters) {

        boolean isField() {
            return parameters == null;
        }
    }

    private final List<Listed> classes = new ArrayList<>();

    private SignatureList() {}

    /** Reads a list from a resource beside this class. */
    static SignatureList read(String resource) throws IOException {
        SignatureList list = new SignatureList();
        for (String line : lines(resource)) {
            if (!line.startsWith(" ")) {
                list.addClass(line);
            } else {
                Listed owner = list.classes.getLast();
                owner.members.addAll(members(owner.name, line.strip()));
            }
        }
        return list;
    }

    /** The lines of a resource that are neither empty nor comments. */
    static List<String> lines(String resource) throws IOException {
        try (InputStream in = SignatureList.class.getResourceAsStream(resource)) {
            String text =
                    new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
        }
    }

    List<Listed> classes() {
        return classes;
    }

    private void addClass(String line) {
        Matcher matcher = CLASS.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("no class: " + line);
        }
        List<String> supertypes = new ArrayList<>();
        for (int group = 2; group <= 3; group++) {
            if (matcher.group(group) != null) {
                supertypes.addAll(List.of(matcher.group(group).split(", ", -1)));
            }
        }
        classes.add(new Listed(matcher.group(1), supertypes, new ArrayList<>()));
    }

    private static List<Member> members(String owner, String line) {
        Matcher method = METHOD.matcher(line);
        if (method.matches()) {
            String result = method.group(2) == null ? "" : method.group(2);
            List<String> parameters =
                    method.group(4).isEmpty()
                            ? List.of()
                            : Arrays.stream(method.group(4).split(", ", -1))
                                    .map(parameter -> parameter.replaceFirst(" \\w+$", ""))
                                    .toList();
            boolean isStatic = method.group(1).contains("static");
            String text =
                    method.group(3)
                            + "("
                            + String.join(", ", parameters)
                            + ")"
                            + (result.isEmpty() ? "" : " " + result);
            return List.of(new Member(text, owner, method.group(3), result, isStatic, parameters));
        }
        Matcher field = FIELD.matcher(line);
        if (!field.matches()) {
            throw new IllegalArgumentException("no field or method: " + line);
        }
        boolean isStatic = field.group(1).contains("static");
        String type = field.group(2);
        return Arrays.stream(field.group(3).split(", ", -1))
                .map(name -> new Member(name + " " + type, owner, name, type, isStatic, null))
                .toList();
    }

    /** The class that a list calls so. */
    static Class<?> type(String name) throws ClassNotFoundException {
        if (name.endsWith("[]")) {
            return type(name.substring(0, name.length() - 2)).arrayType();
        }
        if (TYPES.containsKey(name)) {
            return TYPES.get(name);
        }
        return switch (name) {
            case "T", "Data" -> Class.forName("mpi.Struct$Data");
            case "mpjbuf.Buffer" -> Class.forName(name);
            default -> Class.forName("mpi." + name);
        };
    }
}
