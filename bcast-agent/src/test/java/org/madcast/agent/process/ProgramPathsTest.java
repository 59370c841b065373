package org.madcast.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.madcast.client.Communicator;

/** Where ranks are told that the client library is. */
class ProgramPathsTest {

    /** Makes classes that do not know where they come from, as recorded ones do not. */
    private static final class Recorded extends ClassLoader {

        private Recorded() {
            super(Communicator.class.getClassLoader());
        }

        private Class<?> define(Class<?> type) throws IOException {
            @Nullable URL nowhere = null;
            CodeSource source = new CodeSource(nowhere, (Certificate @Nullable []) null);
            String file = type.getName().replace('.', '/') + ".class";
            try (var in = getResourceAsStream(file)) {
                byte[] bytes = Objects.requireNonNull(in).readAllBytes();
                return defineClass(
                        type.getName(), bytes, 0, bytes.length, new ProtectionDomain(source, null));
            }
        }
    }

    @Test
    void theLibraryIsWhereItsClassesAre() throws IOException {
        Path found = Path.of(ProgramPaths.location(Communicator.class));
        try (URLClassLoader alone = new URLClassLoader(new URL[] {found.toUri().toURL()}, null)) {
            assertThat(alone.findResource("org/madcast/client/Communicator.class")).isNotNull();
        }
    }

    @Test
    void whatAClassWasRecordedWithDoesNotCount() throws IOException {
        Class<?> recorded = new Recorded().define(Communicator.class);
        assertThat(ProgramPaths.location(recorded))
                .isEqualTo(ProgramPaths.location(Communicator.class));
    }
}
