package org.madcast.allocator.access;

import jakarta.servlet.http.HttpServletRequest;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.springframework.stereotype.Component;

/**
 * Callers who show a certificate while the connection is made (mutual TLS). The server has checked
 * who signed it; which role its subject has is set. From any thread.
 */
@Component
class Certificates {

    private static final String SHOWN = "jakarta.servlet.request.X509Certificate";

    private final Map<X500Principal, Caller> holders = new HashMap<>();

    Certificates(AccessProperties access) {
        access.certificates()
                .forEach((role, subjects) -> {
                    for (String subject : subjects) {
                        X500Principal principal = new X500Principal(subject);
                        String name = principal.getName();
                        Caller holder =
                                new Caller(name, role, true, Owners.ofCertificate(name), null);
                        Caller before = holders.putIfAbsent(principal, holder);
                        if (before != null) {
                            throw new IllegalArgumentException(
                                    "madcast.access.certificates names " + subject + " twice");
                        }
                    }
                });
    }

    /** Who shows the request's certificate, if it has one of a subject that has a role. */
    Optional<Caller> holder(HttpServletRequest request) {
        return !holders.isEmpty()
                        && request.getAttribute(SHOWN) instanceof X509Certificate[] chain
                        && chain.length > 0
                ? Optional.ofNullable(holders.get(chain[0].getSubjectX500Principal()))
                : Optional.empty();
    }
}
