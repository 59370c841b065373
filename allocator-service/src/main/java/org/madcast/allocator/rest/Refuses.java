package org.madcast.allocator.rest;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The problems that an endpoint answers, beside those that every endpoint does. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Refuses {

    /** Which. */
    ProblemType[] value();
}
