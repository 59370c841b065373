package org.madcast.client.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The nine permission bits, and those that this process withholds from the files that it makes. */
final class Permissions {

    private static final int ALL = 0777;
    private static final int HIGHEST = 0400;

    private static final List<PosixFilePermission> BITS =
            List.of(
                    PosixFilePermission.OWNER_READ,
                    PosixFilePermission.OWNER_WRITE,
                    PosixFilePermission.OWNER_EXECUTE,
                    PosixFilePermission.GROUP_READ,
                    PosixFilePermission.GROUP_WRITE,
                    PosixFilePermission.GROUP_EXECUTE,
                    PosixFilePermission.OTHERS_READ,
                    PosixFilePermission.OTHERS_WRITE,
                    PosixFilePermission.OTHERS_EXECUTE);

    private static final int UMASK = umask();

    private Permissions() {}

    static Set<PosixFilePermission> of(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (int i = 0; i < BITS.size(); i++) {
            if ((mode & (HIGHEST >> i)) != 0) {
                permissions.add(BITS.get(i));
            }
        }
        return permissions;
    }

    static int mode(Set<PosixFilePermission> permissions) {
        int mode = 0;
        for (int i = 0; i < BITS.size(); i++) {
            if (permissions.contains(BITS.get(i))) {
                mode |= HIGHEST >> i;
            }
        }
        return mode;
    }

    /** True when a file that is made with this mode gets all of it. */
    static boolean areGranted(int mode) {
        return (mode & UMASK) == 0;
    }

    private static int umask() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("Umask:")) {
                    return Integer.parseInt(line.substring("Umask:".length()).strip(), 8);
                }
            }
        } catch (IOException | NumberFormatException _) {
            // Then permissions are set explicitly, which is slower and as right.
        }
        return ALL;
    }
}
