package org.madcast.client.lease;

import java.security.SecureRandom;

/** Draws communicator tokens. */
final class Tokens {

    private static final SecureRandom RANDOM = new SecureRandom();

    private Tokens() {}

    /** 64 random bits, never 0. */
    static long draw() {
        long token = RANDOM.nextLong();
        return token == 0 ? 1 : token;
    }
}
