package org.madcast.allocator.access;

import org.madcast.allocator.lease.Secrets;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.Requester;

/**
 * The names of owners, which stand beside what they made: hashes that tell nothing of a token, and
 * stay the same when a name is given to another token.
 */
final class Owners {

    private static final int SHORTEST = 16;
    private static final int LONGEST = 128;
    private static final int LENGTH = 32;

    private Owners() {}

    /** The owner that the token of this hash is. */
    static String ofToken(String hash) {
        return name("token", hash);
    }

    /** The owner that requests with this secret are. */
    static String ofSecret(String secret) {
        return name("secret", secret);
    }

    /** The owner that the holder of a certificate of this subject is. */
    static String ofCertificate(String subject) {
        return name("certificate", subject);
    }

    /** The owner that a person is whom a provider knows by this subject. */
    static String ofPerson(String subject) {
        return name("person", subject);
    }

    /** Whether it is long enough not to be guessed, and not too long. */
    static boolean isSecret(String secret) {
        return secret.length() >= SHORTEST && secret.length() <= LONGEST;
    }

    static Problem wrongSecret() {
        return Problem.invalid(
                Requester.SECRET_HEADER,
                "must have %d to %d characters".formatted(SHORTEST, LONGEST));
    }

    private static String name(String kind, String value) {
        return Secrets.hash(kind + "\n" + value).substring(0, LENGTH);
    }
}
