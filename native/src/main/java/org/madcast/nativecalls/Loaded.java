package org.madcast.nativecalls;

import java.util.Optional;
import java.util.function.Function;

/**
 * The functions of a native library, or the reason why they cannot be called here.
 *
 * @param functions present when all of them were bound
 * @param problem why they were not, for people; empty when they were
 */
public record Loaded<T>(Optional<T> functions, String problem) {

    /** Binds functions. Never throws: whatever is missing becomes the {@link #problem}. */
    public static <T> Loaded<T> of(NativeLibrary library, Function<NativeLibrary, T> binding) {
        try {
            return new Loaded<>(Optional.of(binding.apply(library)), "");
        } catch (UnsupportedOperationException missing) {
            return new Loaded<>(Optional.empty(), String.valueOf(missing.getMessage()));
        }
    }

    /** Whether the functions can be called. */
    public boolean isPresent() {
        return functions.isPresent();
    }

    /**
     * The functions.
     *
     * @throws UnsupportedOperationException with the problem as message
     */
    public T get() {
        return functions.orElseThrow(() -> new UnsupportedOperationException(problem));
    }
}
