package org.madcast.client;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the values of {@link BroadcastParameters} come from when the code gives none: a system
 * property counts before a variable of the environment, and what is blank says nothing.
 *
 * @param properties by name, such as {@code madcast.ttl}
 * @param environment by name, such as {@code MADCAST_TTL}
 */
record SettingSources(Map<String, String> properties, Map<String, String> environment) {

    static final String FROM_CODE = "code";
    static final String FROM_DEFAULT = "default";

    private static final String SELECTION_PROPERTY = "madcast.selection.file";
    private static final String SELECTION_VARIABLE = "MADCAST_SELECTION_FILE";

    /** A value in force and who set it. */
    record Effective(long value, String origin) {}

    /** What a system property or a variable of the environment says. */
    record Outside(String kind, String name, String text) {
        String origin() {
            return kind + " " + name;
        }
    }

    /** Those of this process. */
    static SettingSources ofProcess() {
        Map<String, String> found = new HashMap<>();
        names(BroadcastParametersSetting::property, SELECTION_PROPERTY)
                .forEach(name -> {
                    String value = System.getProperty(name);
                    if (value != null) {
                        found.put(name, value);
                    }
                });
        return new SettingSources(found, System.getenv());
    }

    /** The variables that are read. */
    static Set<String> variables() {
        return names(BroadcastParametersSetting::variable, SELECTION_VARIABLE)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Stream<String> names(
            Function<BroadcastParametersSetting, String> ofSetting, String ofSelection) {
        return Stream.concat(
                BroadcastParametersSetting.ALL.stream().map(ofSetting), Stream.of(ofSelection));
    }

    /**
     * The value of a setting.
     *
     * @param code what the code said; null: nothing
     * @throws IllegalArgumentException when the source that counts says something invalid
     */
    Effective resolve(BroadcastParametersSetting setting, @Nullable Long code) {
        if (code != null) {
            return new Effective(code, FROM_CODE);
        }
        return outside(setting.property(), setting.variable())
                .map(said -> new Effective(setting.parse(said.name(), said.text()), said.origin()))
                .orElseGet(() -> new Effective(setting.standard(), FROM_DEFAULT));
    }

    /** The user's table of algorithms. */
    Optional<Outside> selectionFile() {
        return outside(SELECTION_PROPERTY, SELECTION_VARIABLE);
    }

    private Optional<Outside> outside(String property, String variable) {
        String text = properties.getOrDefault(property, "");
        if (!text.isBlank()) {
            return Optional.of(new Outside("property", property, text));
        }
        text = environment.getOrDefault(variable, "");
        return text.isBlank()
                ? Optional.empty()
                : Optional.of(new Outside("environment", variable, text));
    }
}
