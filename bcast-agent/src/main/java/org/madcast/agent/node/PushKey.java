package org.madcast.agent.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.terminal.FileTrouble;
import org.madcast.client.JobKey;

/**
 * The key that sender and agents seal pushes with. It never travels; each side knows by the
 * fingerprint whether the other has the same one.
 *
 * @param fingerprint of a value that is derived from the key, from which neither can be computed
 */
public record PushKey(JobKey key, String fingerprint) {

    private static final int FINGERPRINT_BYTES = 8;

    /**
     * Reads a key.
     *
     * @param file as {@code openssl rand -hex 32} writes it; null or empty for no key
     * @throws CommandFailure when it is missing, is none, or others may read it
     */
    public static @Nullable PushKey read(@Nullable Path file) {
        if (file == null || file.toString().isEmpty()) {
            return null;
        }
        try {
            JobKey key = JobKey.ofHex(Files.readString(file));
            if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
                throw new CommandFailure(
                        ExitCode.NO_INPUT,
                        "other users may read the key in " + file + "; run chmod 600 on it");
            }
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(key.ofReports(0).getEncoded());
            return new PushKey(key, HexFormat.of().formatHex(digest, 0, FINGERPRINT_BYTES));
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT,
                    "--key "
                            + file
                            + ": "
                            + FileTrouble.of(e)
                            + "; make one with 'openssl rand -hex 32' and copy it to every node",
                    e);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.NO_INPUT, file + " is " + e.getMessage(), e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /**
     * Why an agent with one key refuses a sender with the other; null when it does not.
     *
     * @param own the agent's key, if it has one
     * @param fingerprint the sender's, empty if it has no key
     */
    public static @Nullable String refusal(@Nullable PushKey own, String fingerprint) {
        if (own == null) {
            return fingerprint.isEmpty()
                    ? null
                    : "this agent has no key; start it with --key FILE, or push without";
        }
        if (fingerprint.isEmpty()) {
            return "this agent takes sealed pushes only; push with --key FILE";
        }
        return fingerprint.equals(own.fingerprint()) ? null : "this agent has another key";
    }
}
