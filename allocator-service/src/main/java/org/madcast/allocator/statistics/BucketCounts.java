package org.madcast.allocator.statistics;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A histogram by {@link Buckets}: each key is one, no count is negative or beyond reach. It is
 * checked as a whole, for most of what a report says is such counts, and there are many reports.
 */
@Constraint(validatedBy = BucketCounts.Check.class)
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
public @interface BucketCounts {

    /** What is wrong. */
    String message() default
            "must count, by bucket from 0 to " + (Buckets.COUNT - 1) + ", 0 to 2^53 each";

    /** As every constraint has. */
    Class<?>[] groups() default {};

    /** As every constraint has. */
    Class<? extends Payload>[] payload() default {};

    /** The rule. */
    final class Check implements ConstraintValidator<BucketCounts, Map<Integer, Long>> {

        @Override
        public boolean isValid(
                @Nullable Map<Integer, Long> counts, ConstraintValidatorContext context) {
            if (counts == null) {
                return true;
            }
            for (Map.Entry<@Nullable Integer, @Nullable Long> entry : counts.entrySet()) {
                Integer bucket = entry.getKey();
                Long count = entry.getValue();
                if (bucket == null
                        || bucket < 0
                        || bucket >= Buckets.COUNT
                        || count == null
                        || count < 0
                        || count > Counters.MOST) {
                    return false;
                }
            }
            return true;
        }
    }
}
