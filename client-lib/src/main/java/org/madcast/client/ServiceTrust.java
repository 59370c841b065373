package org.madcast.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Whose certificates are trusted where the allocation service speaks HTTPS, and which certificate
 * this process shows. Both are files in PEM that the process is started with: {@code MADCAST_CA}
 * (property {@code madcast.ca}) has certificates of authorities, which are trusted instead of the
 * Java platform's; {@code MADCAST_CERT} (property {@code madcast.cert}) has a certificate, those
 * that signed it, and its private key (PKCS 8). A file that changes is read again with the next
 * request. Safe for every thread.
 */
public final class ServiceTrust {

    /** The property with the file of authorities. */
    public static final String CA = "madcast.ca";

    /** The property with the file that has this process's own certificate and key. */
    public static final String CERTIFICATE = "madcast.cert";

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END ");
    private static final List<String> KEY_ALGORITHMS = List.of("EC", "RSA", "EdDSA");
    private static final char[] NO_PASSWORD = {};

    private static @Nullable Ready ready;

    private ServiceTrust() {}

    /** A file as it was. */
    private record Seen(Path file, FileTime changed) {}

    /** Why no request was made. */
    private static final class UnusableFileException extends IOException {

        private static final long serialVersionUID = 1L;

        UnusableFileException(IOException why) {
            super(why.getMessage(), why);
        }
    }

    /** What was made of the files. */
    private record Ready(List<Seen> of, SSLSocketFactory sockets) {}

    /**
     * Has a connection that was not used yet believe and show what the files say; without files,
     * and over HTTP, nothing.
     *
     * @throws IOException naming the file, when one cannot be read or is not what it should be
     */
    public static void prepare(HttpURLConnection connection) throws IOException {
        Path authorities = file(CA, "MADCAST_CA");
        Path certificate = file(CERTIFICATE, "MADCAST_CERT");
        if (connection instanceof HttpsURLConnection https
                && (authorities != null || certificate != null)) {
            try {
                https.setSSLSocketFactory(sockets(authorities, certificate));
            } catch (IOException unusable) {
                throw new UnusableFileException(unusable);
            }
        }
    }

    /**
     * What is wrong when a request fails for its certificates, or for the lack of them, and what to
     * do; empty when it fails for something else. It contains the word certificate.
     */
    public static Optional<String> trouble(Throwable failure) {
        if (failure instanceof UnusableFileException unusable) {
            return Optional.of("no certificate can be checked: " + unusable.getMessage());
        }
        boolean untrusted = false;
        String reason = "";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException
                    || cause instanceof java.security.cert.CertPathBuilderException) {
                untrusted = true;
            }
            if (cause instanceof SSLException || untrusted) {
                reason = String.valueOf(cause.getMessage());
            }
        }
        if (untrusted) {
            return Optional.of(
                    "its certificate is not trusted ("
                            + reason
                            + "); name the certificate of its authority with --ca FILE or"
                            + " MADCAST_CA, and the host as the certificate does");
        }
        if (reason.contains("certificate")) {
            return Optional.of(
                    "it wants another certificate of this client ("
                            + reason
                            + "); name its file with MADCAST_CERT");
        }
        if (reason.contains("plaintext") || reason.contains("SSL message")) {
            return Optional.of("it shows no certificate: it speaks no TLS; write http://");
        }
        return Optional.empty();
    }

    private static @Nullable Path file(String property, String variable) {
        String named = System.getProperty(property, System.getenv(variable));
        return named == null || named.isEmpty() ? null : Path.of(named);
    }

    private static synchronized SSLSocketFactory sockets(
            @Nullable Path authorities, @Nullable Path certificate) throws IOException {
        List<Seen> files = new ArrayList<>();
        for (Path file : new Path[] {authorities, certificate}) {
            if (file != null) {
                files.add(new Seen(file, changed(file)));
            }
        }
        Ready last = ready;
        if (last != null && last.of().equals(files)) {
            return last.sockets();
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    certificate == null ? null : keys(certificate).getKeyManagers(),
                    authorities == null ? null : trust(authorities).getTrustManagers(),
                    null);
            Ready made = new Ready(files, context.getSocketFactory());
            ready = made;
            return made.sockets();
        } catch (GeneralSecurityException wrong) {
            throw new IOException("no TLS with " + files + ": " + wrong.getMessage(), wrong);
        }
    }

    private static FileTime changed(Path file) throws IOException {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException missing) {
            throw new IOException("the certificate file " + file + " cannot be read", missing);
        }
    }

    private static TrustManagerFactory trust(Path file)
            throws IOException, GeneralSecurityException {
        KeyStore store = empty();
        for (Certificate authority : certificates(file)) {
            store.setCertificateEntry("ca" + store.size(), authority);
        }
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust;
    }

    private static KeyManagerFactory keys(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = empty();
        store.setKeyEntry(
                "own", key(file), NO_PASSWORD, certificates(file).toArray(Certificate[]::new));
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, NO_PASSWORD);
        return keys;
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }

    private static List<Certificate> certificates(Path file)
            throws IOException, GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<Certificate> certificates = new ArrayList<>();
        for (byte[] block : blocks(file, "CERTIFICATE")) {
            certificates.add(factory.generateCertificate(new ByteArrayInputStream(block)));
        }
        if (certificates.isEmpty()) {
            throw new IOException(file + " has no certificate in PEM");
        }
        return certificates;
    }

    private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
        for (byte[] block : blocks(file, "PRIVATE KEY")) {
            for (String algorithm : KEY_ALGORITHMS) {
                Optional<PrivateKey> key = key(block, algorithm);
                if (key.isPresent()) {
                    return key.get();
                }
            }
        }
        throw new IOException(
                file
                        + " has no private key that begins with -----BEGIN PRIVATE KEY-----; make"
                        + " one of it with 'openssl pkcs8 -topk8 -nodes'");
    }

    private static Optional<PrivateKey> key(byte[] encoded, String algorithm)
            throws GeneralSecurityException {
        try {
            return Optional.of(
                    KeyFactory.getInstance(algorithm)
                            .generatePrivate(new PKCS8EncodedKeySpec(encoded)));
        } catch (InvalidKeySpecException another) {
            return Optional.empty();
        }
    }

    private static List<byte[]> blocks(Path file, String kind) throws IOException {
        List<byte[]> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(Files.readString(file, StandardCharsets.US_ASCII));
        while (matcher.find()) {
            if (matcher.group(1).equals(kind)) {
                try {
                    blocks.add(Base64.getMimeDecoder().decode(matcher.group(2)));
                } catch (IllegalArgumentException damaged) {
                    throw new IOException(file + " is no PEM", damaged);
                }
            }
        }
        return blocks;
    }
}
