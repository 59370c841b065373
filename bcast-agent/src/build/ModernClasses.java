import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Gives the classes of an archive the format of Java 8 when theirs is older than Java 6. Only such
 * ones can be recorded for a quick start (-XX:AOTCache), since only they say what their verification
 * needs; picocli is built for Java 5, and loading it took a third of the start of every command.
 *
 * <p>Run by Maven: {@code java ModernClasses.java ARCHIVE}. What is modern stays as it is.
 */
public final class ModernClasses {

    private static final int JAVA_6 = 50;
    private static final int JAVA_8 = 52;
    private static final int MAJOR_VERSION_AT = 7;

    private final Map<String, byte[]> entries = new LinkedHashMap<>();
    private final ClassFile format =
            ClassFile.of(
                    ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                    ClassFile.ClassHierarchyResolverOption.of(
                            ClassHierarchyResolver.ofResourceParsing(this::open)));

    private ModernClasses() {}

    public static void main(String[] arguments) throws IOException {
        new ModernClasses().convert(Path.of(arguments[0]));
    }

    private void convert(Path archive) throws IOException {
        FileTime time = Files.getLastModifiedTime(archive);
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(archive))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                entries.put(entry.getName(), in.readAllBytes());
            }
        }
        if (entries.entrySet().stream().noneMatch(ModernClasses::isOld)) {
            return;
        }
        Path converted = archive.resolveSibling(archive.getFileName() + ".part");
        try (OutputStream file = Files.newOutputStream(converted);
                ZipOutputStream out = new ZipOutputStream(file)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                ZipEntry made = new ZipEntry(entry.getKey());
                made.setLastModifiedTime(time);
                out.putNextEntry(made);
                out.write(isOld(entry) ? modern(entry.getValue()) : entry.getValue());
                out.closeEntry();
            }
        }
        // As old as the original, which Maven compares it with.
        Files.setLastModifiedTime(converted, time);
        Files.move(
                converted,
                archive,
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.ATOMIC_MOVE);
    }

    private static boolean isOld(Map.Entry<String, byte[]> entry) {
        return entry.getKey().endsWith(".class") && entry.getValue()[MAJOR_VERSION_AT] < JAVA_6;
    }

    /** Each method is written anew, for what is copied as it is gets no stack maps. */
    private byte[] modern(byte[] old) {
        ClassTransform methods =
                ClassTransform.transformingMethodBodies(
                        CodeTransform.ofStateful(() -> (code, element) -> code.with(element)));
        ClassTransform version =
                (made, element) -> {
                    if (element instanceof ClassFileVersion) {
                        made.withVersion(JAVA_8, 0);
                    } else {
                        made.with(element);
                    }
                };
        return format.transformClass(format.parse(old), methods.andThen(version));
    }

    /** Called while classes are looked at; null for what is not there. */
    private InputStream open(ClassDesc described) {
        String descriptor = described.descriptorString();
        String name = descriptor.substring(1, descriptor.length() - 1) + ".class";
        byte[] own = entries.get(name);
        return own == null
                ? ClassLoader.getSystemResourceAsStream(name)
                : new ByteArrayInputStream(own);
    }
}
