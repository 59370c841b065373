package org.madcast.agent;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The numbers that an option takes. Others are refused, in one line, before its command runs. */
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Range {

    /** The smallest. */
    long from();

    /** The largest. */
    long to();

    /** Whether only less than {@link #to} will do. */
    boolean below() default false;
}
