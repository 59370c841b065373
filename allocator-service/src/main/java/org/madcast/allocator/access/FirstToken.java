package org.madcast.allocator.access;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.madcast.allocator.store.StoreProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The operator's token that the first start makes: in a file that only its owner can read, since
 * logs are read by many.
 */
@Component
public class FirstToken {

    /** Its file in the data directory. */
    public static final String FILE = "operator-token";

    private static final Logger LOG = LoggerFactory.getLogger(FirstToken.class);
    private static final String NAME = "first";

    private final Tokens tokens;
    private final Path dataDir;

    FirstToken(Tokens tokens, StoreProperties store) {
        this.tokens = tokens;
        this.dataDir = store.resolvedDataDir();
    }

    /** Makes it if there is no other; of several replicas that start at once, one does. */
    public void makeIfNone() {
        if (tokens.hasConfiguredOperator() || tokens.hasAny()) {
            return;
        }
        Path file = dataDir.resolve(FILE);
        try {
            String secret = tokens.newSecret();
            Path written = write(secret);
            if (tokens.makeFirst(NAME, secret)) {
                Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
                LOG.info("The operator's token is in {}", file);
            } else {
                Files.delete(written);
            }
        } catch (IOException notWritten) {
            LOG.warn(
                    "No operator token, so scopes and tokens cannot be changed: {} cannot be written ({});"
                            + " set madcast.access.operator-token",
                    file,
                    notWritten.toString());
        }
    }

    /** Written completely or not at all, and never readable by other users. */
    private Path write(String secret) throws IOException {
        Files.createDirectories(dataDir);
        Path file =
                Files.createTempFile(
                        dataDir,
                        FILE,
                        ".new",
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
        Files.write(file, (secret + "\n").getBytes(StandardCharsets.UTF_8));
        return file;
    }
}
