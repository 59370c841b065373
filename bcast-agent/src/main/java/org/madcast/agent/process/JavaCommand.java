package org.madcast.agent.process;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines that start further JVMs: the same Java and class path as this process's. */
public final class JavaCommand {

    private JavaCommand() {}

    /** A main class of this program, with these JVM options. */
    public static List<String> of(List<String> options, Class<?> main, List<String> arguments) {
        return of(options, System.getProperty("java.class.path"), main.getName(), arguments);
    }

    /** A main class from a directory, with this program's class path behind it. */
    public static List<String> of(
            List<String> options, Path classes, String main, List<String> arguments) {
        String own = System.getProperty("java.class.path");
        return of(options, classes + File.pathSeparator + own, main, arguments);
    }

    private static List<String> of(
            List<String> options, String classPath, String main, List<String> arguments) {
        List<String> command = java(options);
        command.add("-cp");
        command.add(classPath);
        command.add(main);
        command.addAll(arguments);
        return command;
    }

    /** A program in an archive. */
    public static List<String> ofJar(List<String> options, Path jar, List<String> arguments) {
        List<String> command = java(options);
        command.add("-jar");
        command.add(jar.toString());
        command.addAll(arguments);
        return command;
    }

    private static List<String> java(List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        return command;
    }
}
