package org.madcast.agent;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a command can end with, beside what every command can; its help lists them. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ExitCodes {

    /** Those of this command. */
    ExitCode[] value();
}
