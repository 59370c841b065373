package org.madcast.allocator.access.oidc;

import java.util.Map;
import org.madcast.allocator.access.Caller;
import org.madcast.allocator.access.People;
import org.madcast.allocator.access.Role;
import org.madcast.allocator.access.Tokens;
import org.madcast.allocator.store.StoreClock;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.stereotype.Component;

/**
 * Knows people by a token (JWT) of the provider, which programs show, and by the sealed cookie of a
 * sign-in, which browsers show. From any thread.
 */
@Component
class OidcPeople implements People {

    private static final String SESSION = "oidc session";

    /** How the header of every JWT begins. */
    private static final String JWT = "eyJ";

    private final OidcProperties settings;
    private final Provider provider;
    private final Seals seals;
    private final StoreClock clock;

    OidcPeople(OidcProperties settings, Provider provider, Seals seals, StoreClock clock) {
        this.settings = settings;
        this.provider = provider;
        this.seals = seals;
        this.clock = clock;
    }

    @Override
    public boolean mayKnow(String shown) {
        return settings.isOn() && (shown.startsWith(JWT) || shown.startsWith(Seals.PREFIX));
    }

    @Override
    public Tokens.Shown show(String shown) {
        return shown.startsWith(Seals.PREFIX) ? session(shown) : token(shown);
    }

    /** What the browser of a person who signed in sends from now on. */
    String session(Caller person) {
        return seals.seal(
                SESSION,
                Map.of(
                        "name", person.name(),
                        "role", person.role().word(),
                        "owner", person.owner()),
                clock.now().plus(settings.session()));
    }

    private Tokens.Shown session(String shown) {
        Seals.Opened opened = seals.open(SESSION, shown);
        if (opened == null) {
            return new Tokens.Shown.Unknown();
        }
        return clock.now().isBefore(opened.until())
                ? new Tokens.Shown.Known(
                        new Caller(
                                opened.field("name"),
                                Role.of(opened.field("role")),
                                true,
                                opened.field("owner"),
                                null))
                : new Tokens.Shown.Expired(opened.until());
    }

    private Tokens.Shown token(String shown) {
        try {
            return new Tokens.Shown.Known(
                    Claims.caller(provider.known().tokens().decode(shown).getClaims(), settings));
        } catch (BadJwtException wrong) {
            return new Tokens.Shown.Unknown();
        } catch (JwtException unread) {
            return provider.away(unread).shown();
        } catch (ProviderAwayException away) {
            return away.shown();
        }
    }
}
