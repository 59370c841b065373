package org.madcast.agent.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.terminal.FileTrouble;

/**
 * The secret that the agents of a cluster share with those who may push to them. It never travels:
 * each side proves that it has it by an HMAC over both sides' nonces. Immutable.
 */
public final class NodeToken {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int NEW_BYTES = 32;
    private static final int NONCE_BYTES = 16;
    private static final int MIN_LENGTH = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private static final String VARIABLE = "MADCAST_AGENT_TOKEN";

    private final byte[] secret;
    private final boolean nobodys;

    private NodeToken(byte[] secret, boolean nobodys) {
        this.secret = secret;
        this.nobodys = nobodys;
    }

    /** The file that was given; when none was, the one below the user's configuration. */
    public static Path file(@Nullable Path given) {
        return given == null || given.toString().isEmpty()
                ? Path.of(System.getProperty("user.home"), ".config", "madcast", "agent.token")
                : given;
    }

    /**
     * The token of an agent: from the file that was given, else from the environment, else from the
     * usual file. Without one, a random one, so that every sender is refused.
     *
     * @throws CommandFailure when a token is there and cannot be used
     */
    public static NodeToken ofAgent(@Nullable Path given) {
        boolean told = given != null && !given.toString().isEmpty();
        String text = System.getenv().getOrDefault(VARIABLE, "").strip();
        if (!told && text.length() >= MIN_LENGTH) {
            return new NodeToken(text.getBytes(StandardCharsets.UTF_8), false);
        }
        if (told || Files.exists(file(given))) {
            return read(file(given));
        }
        byte[] random = new byte[NEW_BYTES];
        RANDOM.nextBytes(random);
        return new NodeToken(random, true);
    }

    /** True when no sender can have it. */
    public boolean isNobodys() {
        return nobodys;
    }

    /**
     * Reads a token.
     *
     * @throws CommandFailure when it is missing, too short, or others may read it
     */
    public static NodeToken read(Path file) {
        try {
            String text = Files.readString(file).strip();
            if (text.length() < MIN_LENGTH) {
                throw new CommandFailure(
                        ExitCode.NO_INPUT,
                        file + " does not hold a token of at least " + MIN_LENGTH + " characters");
            }
            Set<PosixFilePermission> access = Files.getPosixFilePermissions(file);
            if (access.contains(PosixFilePermission.OTHERS_READ)) {
                throw new CommandFailure(
                        ExitCode.NO_INPUT,
                        "other users may read the token in " + file + "; run chmod 600 on it");
            }
            return new NodeToken(text.getBytes(StandardCharsets.UTF_8), false);
        } catch (NoSuchFileException e) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT,
                    "there is no token in "
                            + file
                            + "; make one with 'madcast agent --make-token --token-file "
                            + file
                            + "' and copy it to every node",
                    e);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT,
                    "cannot read the token in " + file + ": " + FileTrouble.of(e),
                    e);
        }
    }

    /**
     * Writes a new random token, readable by its owner only.
     *
     * @throws CommandFailure when there is one already, or it cannot be written
     */
    public static void make(Path file) {
        byte[] random = new byte[NEW_BYTES];
        RANDOM.nextBytes(random);
        try {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            Files.createFile(
                    file,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
            Files.writeString(
                    file,
                    Base64.getUrlEncoder().withoutPadding().encodeToString(random) + "\n",
                    StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw new CommandFailure(ExitCode.USAGE, file + " is there already; it stays", e);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT, "cannot write " + file + ": " + FileTrouble.of(e), e);
        }
    }

    /** A new nonce. */
    static String nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return HexFormat.of().formatHex(nonce);
    }

    /** The proof of the token, in this role, after these nonces. */
    String proof(String role, String agentNonce, String senderNonce) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            String text = role + "|" + agentNonce + "|" + senderNonce;
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    /** Whether that was said; takes the same time for every wrong answer. */
    boolean isProof(String said, String role, String agentNonce, String senderNonce) {
        return MessageDigest.isEqual(
                said.getBytes(StandardCharsets.UTF_8),
                proof(role, agentNonce, senderNonce).getBytes(StandardCharsets.UTF_8));
    }
}
