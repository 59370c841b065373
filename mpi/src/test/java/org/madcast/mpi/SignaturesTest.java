package org.madcast.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.madcast.mpi.SignatureList.Listed;
import org.madcast.mpi.SignatureList.Member;

/**
 * Programs that were compiled against Open MPI's or MPJ Express's library find everything that they
 * name: each signature of both lists, by the types that a class file names it with.
 */
class SignaturesTest {

    private static final Map<String, String> LISTS =
            Map.of("Open MPI", "openmpi-5.0.txt", "mpiJava", "mpijava-1.2.txt");
    private static final String TABLE = "support";

    /** What each class has of the lists. */
    private static final class Row {
        private final TreeSet<String> listed = new TreeSet<>();
        private final TreeSet<String> missing = new TreeSet<>();
        private final TreeSet<String> unsupported = new TreeSet<>();
    }

    private final Set<java.lang.reflect.Member> unsupported = methodsWithoutBody();
    private final List<String> differences = new ArrayList<>();
    private final Map<String, Row> rows = new TreeMap<>();

    SignaturesTest() throws IOException {
        for (Map.Entry<String, String> list : new TreeMap<>(LISTS).entrySet()) {
            for (Listed listed : SignatureList.read(list.getValue()).classes()) {
                compare(list.getKey(), listed);
            }
        }
    }

    private void compare(String api, Listed listed) {
        Row row = rows.computeIfAbsent(listed.name(), _ -> new Row());
        Class<?> type;
        try {
            type = SignatureList.type(listed.name());
        } catch (ClassNotFoundException _) {
            listed.members().stream()
                    .filter(member -> !member.isField())
                    .map(Member::text)
                    .forEach(row.missing::add);
            row.listed.addAll(row.missing);
            differences.add(api + ": class " + listed.name());
            return;
        }
        if (!Modifier.isPublic(type.getModifiers())) {
            differences.add(api + ": class " + listed.name() + " public");
        }
        for (String supertype : listed.supertypes()) {
            if (!isA(type, supertype)) {
                differences.add(api + ": class " + listed.name() + " is a " + supertype);
            }
        }
        for (Member member : listed.members()) {
            if (!member.isField()) {
                row.listed.add(member.text());
            }
            Optional<? extends java.lang.reflect.Member> found = find(type, member);
            if (found.isEmpty()) {
                differences.add(
                        api
                                + ": "
                                + listed.name()
                                + (member.isStatic() ? " static " : " ")
                                + member.text());
                if (!member.isField()) {
                    row.missing.add(member.text());
                }
            } else if (unsupported.contains(found.get())) {
                row.unsupported.add(member.text());
            }
        }
    }

    private static boolean isA(Class<?> type, String supertype) {
        try {
            return SignatureList.type(supertype).isAssignableFrom(type);
        } catch (ClassNotFoundException _) {
            return false;
        }
    }

    private static Optional<? extends java.lang.reflect.Member> find(Class<?> type, Member member) {
        try {
            if (member.isField()) {
                return field(type, member);
            }
            List<Class<?>> parameters = new ArrayList<>();
            for (String parameter : member.parameters()) {
                parameters.add(SignatureList.type(parameter));
            }
            Class<?>[] array = parameters.toArray(Class<?>[]::new);
            if (!member.type().isEmpty()) {
                Class<?> result = SignatureList.type(member.type());
                return method(type, member, result, array);
            }
            return Optional.of(type.getDeclaredConstructor(array))
                    .filter(it -> isVisible(it.getModifiers()));
        } catch (ReflectiveOperationException _) {
            return Optional.empty();
        }
    }

    /** As the JVM looks one up: by name and type, in the class and what it extends. */
    private static Optional<Field> field(Class<?> type, Member member)
            throws ClassNotFoundException {
        Class<?> wanted = SignatureList.type(member.type());
        for (@Nullable Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (field.getName().equals(member.name())
                        && field.getType() == wanted
                        && Modifier.isPublic(field.getModifiers())
                        && Modifier.isStatic(field.getModifiers()) == member.isStatic()) {
                    return Optional.of(field);
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Method> method(
            Class<?> type, Member member, Class<?> result, Class<?>[] parameters) {
        for (@Nullable Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                if (method.getName().equals(member.name())
                        && method.getReturnType() == result
                        && Arrays.equals(method.getParameterTypes(), parameters)
                        && isVisible(method.getModifiers())
                        && Modifier.isStatic(method.getModifiers()) == member.isStatic()) {
                    return Optional.of(method);
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    /** The methods that throw {@code ERR_UNSUPPORTED_OPERATION}. */
    private static Set<java.lang.reflect.Member> methodsWithoutBody() {
        return new ClassFileImporter()
                .importPackages("mpi").stream()
                        .flatMap(type -> type.getMethods().stream())
                        .filter(method ->
                                method.getFieldAccesses().stream()
                                        .anyMatch(SignaturesTest::isRefusal))
                        .map(JavaMethod::reflect)
                        .collect(Collectors.toSet());
    }

    private static boolean isRefusal(JavaFieldAccess access) {
        return access.getTargetOwner().getName().equals("mpi.ErrorClass")
                && access.getName().equals("UNSUPPORTED_OPERATION");
    }

    /** A line for each, as the list of differences begins it, then a colon and the reason. */
    @Test
    void everySignatureIsThereOrItsAbsenceRecorded() throws IOException {
        List<String> recorded = new ArrayList<>();
        for (String line : SignatureList.lines("differences.txt")) {
            String[] parts = line.split(" - ", 2);
            assertThat(parts).as(line).hasSize(2);
            assertThat(parts[1]).as(line).matches("[A-Z].{15,}\\.");
            recorded.add(parts[0]);
        }
        assertThat(differences)
                .as(() -> "differences from the lists:\n" + String.join("\n", differences) + "\n")
                .containsExactlyInAnyOrderElementsOf(recorded);
    }

    @Test
    void thePageSaysWhatIsSupported() throws IOException {
        Path page = Path.of("../docs/MPI.md");
        String begin = "<!-- generated: " + TABLE + " -->\n";
        String end = "<!-- end: " + TABLE + " -->\n";
        String text = Files.readString(page);
        int from = text.indexOf(begin) + begin.length();
        int to = text.indexOf(end);
        assertThat(from).as("the marks of the table").isBetween(begin.length(), to);
        if (Boolean.getBoolean("madcast.write")) {
            Files.writeString(page, text.substring(0, from) + table() + text.substring(to));
            return;
        }
        assertThat(text.substring(from, to))
                .as("a table older than the code; write it with -Dmadcast.write=true")
                .isEqualTo(table());
    }

    private String table() {
        StringBuilder table = new StringBuilder();
        table.append("| class | methods | present | work | throw `ERR_UNSUPPORTED_OPERATION` |\n");
        table.append("| --- | ---: | ---: | ---: | --- |\n");
        int listed = 0;
        int present = 0;
        int working = 0;
        for (Map.Entry<String, Row> entry : rows.entrySet()) {
            Row row = entry.getValue();
            if (row.listed.isEmpty()) {
                continue;
            }
            int here = row.listed.size() - row.missing.size();
            int work = here - row.unsupported.size();
            listed += row.listed.size();
            present += here;
            working += work;
            List<String> names =
                    row.unsupported.stream()
                            .map(text -> "`" + text.substring(0, text.indexOf('(')) + "`")
                            .distinct()
                            .toList();
            table.append(
                    line(entry.getKey(), row.listed.size(), here, work, String.join(", ", names)));
        }
        return table.append(line("all", listed, present, working, "")).toString();
    }

    private static String line(String name, int listed, int present, int working, String rest) {
        return "| %s | %d | %d | %d | %s |\n".formatted(name, listed, present, working, rest);
    }
}
