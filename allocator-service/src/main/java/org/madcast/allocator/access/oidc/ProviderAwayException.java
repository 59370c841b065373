package org.madcast.allocator.access.oidc;

import org.madcast.allocator.access.Tokens;

/** That the provider does not answer, or not as a provider does. */
final class ProviderAwayException extends Exception {

    private static final long serialVersionUID = 1;

    ProviderAwayException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The same as what came of showing a token. */
    Tokens.Shown shown() {
        return new Tokens.Shown.Undecided(String.valueOf(getMessage()));
    }
}
