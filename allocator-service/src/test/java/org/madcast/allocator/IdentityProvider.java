package org.madcast.allocator;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configuration.OAuth2AuthorizationServerConfiguration;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * A real provider of OpenID Connect on a port of this machine: Spring's authorization server. Ada
 * is in the group {@code hpc-admins}, Bob in none; everybody's password is {@code secret}.
 */
final class IdentityProvider implements AutoCloseable {

    static final String CLIENT = "madcast";
    static final String SECRET = "the-secret-of-the-client";
    static final String PASSWORD = "secret";

    private static volatile RSAKey key = newKey();

    private final ConfigurableApplicationContext context;

    private IdentityProvider(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Starts one that sends browsers back to these addresses. */
    static IdentityProvider start(int port, String... redirects) {
        // Nothing of what the service has on its class path configures itself here.
        return new IdentityProvider(
                new SpringApplicationBuilder(Program.class)
                        .web(WebApplicationType.SERVLET)
                        .bannerMode(Banner.Mode.OFF)
                        .properties(
                                Map.of(
                                        "spring.config.location",
                                        "optional:classpath:/none/",
                                        "provider.port",
                                        port,
                                        "provider.redirects",
                                        String.join(",", redirects)))
                        .run());
    }

    String issuer() {
        return issuer(context.getEnvironment().getRequiredProperty("provider.port", Integer.class));
    }

    /** By a name: for a browser that is another site than the service's address. */
    static String issuer(int port) {
        return "http://localhost:" + port;
    }

    /** What it signs with now. */
    static RSAKey key() {
        return key;
    }

    /** From now on it signs with another key, and shows only that. */
    static void rotateKey() {
        key = newKey();
    }

    static RSAKey newKey() {
        try {
            return new RSAKeyGenerator(2048).keyID(UUID.randomUUID().toString()).generate();
        } catch (JOSEException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        context.close();
    }

    /** Its parts. No configuration that the service's program would find by itself. */
    @EnableWebSecurity
    static class Program {

        @Bean
        TomcatServletWebServerFactory server(Environment settings) {
            return new TomcatServletWebServerFactory(
                    settings.getRequiredProperty("provider.port", Integer.class));
        }

        @Bean
        DispatcherServlet dispatcherServlet() {
            return new DispatcherServlet();
        }

        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.oauth2AuthorizationServer(it -> it.oidc(Customizer.withDefaults()))
                    .authorizeHttpRequests(it -> it.anyRequest().authenticated())
                    .formLogin(Customizer.withDefaults())
                    .build();
        }

        @Bean
        RegisteredClientRepository clients(Environment settings) {
            List<String> redirects =
                    List.of(settings.getRequiredProperty("provider.redirects").split(","));
            return new InMemoryRegisteredClientRepository(
                    RegisteredClient.withId(CLIENT)
                            .clientId(CLIENT)
                            .clientSecret("{noop}" + SECRET)
                            .clientAuthenticationMethod(
                                    ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                            .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                            .redirectUris(it -> it.addAll(redirects))
                            .postLogoutRedirectUris(it ->
                                    redirects.forEach(
                                            each -> it.add(each.replace("/oidc/done", ""))))
                            .scope("openid")
                            .scope("profile")
                            .clientSettings(
                                    ClientSettings.builder()
                                            .requireProofKey(true)
                                            .requireAuthorizationConsent(false)
                                            .build())
                            .build());
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("ada").password("{noop}" + PASSWORD).roles("X").build(),
                    User.withUsername("bob").password("{noop}" + PASSWORD).roles("X").build());
        }

        @Bean
        JWKSource<SecurityContext> keys() {
            return (selector, context) -> selector.select(new JWKSet(key));
        }

        @Bean
        JwtDecoder decoder(JWKSource<SecurityContext> keys) {
            return OAuth2AuthorizationServerConfiguration.jwtDecoder(keys);
        }

        @Bean
        AuthorizationServerSettings settings() {
            return AuthorizationServerSettings.builder().build();
        }

        @Bean
        OAuth2TokenCustomizer<JwtEncodingContext> claims() {
            return token -> {
                Authentication person = token.getPrincipal();
                String user = Objects.requireNonNull(person).getName();
                token.getClaims()
                        .claim("preferred_username", user)
                        .claim(
                                "realm_access",
                                Map.of(
                                        "roles",
                                        user.equals("ada")
                                                ? List.of("hpc-admins", "others")
                                                : List.of("others")));
            };
        }
    }
}
