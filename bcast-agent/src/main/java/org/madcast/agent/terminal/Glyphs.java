package org.madcast.agent.terminal;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Marks that the terminal's character set can show. */
enum Glyphs {
    UNICODE("✓", "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", '█', '░'),
    ASCII("ok", "|/-\\", '#', '.');

    final String done;
    final String spinner;
    final char full;
    final char empty;

    Glyphs(String done, String spinner, char full, char empty) {
        this.done = done;
        this.spinner = spinner;
        this.full = full;
        this.empty = empty;
    }

    /** Those for standard error. */
    static Glyphs ofStandardError() {
        String name = System.getProperty("stderr.encoding", Charset.defaultCharset().name());
        return name.equalsIgnoreCase(StandardCharsets.UTF_8.name()) ? UNICODE : ASCII;
    }
}
