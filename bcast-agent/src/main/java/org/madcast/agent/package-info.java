/** The command line: one picocli command a sub-command, named exit codes, one line an error. */
@NullMarked
package org.madcast.agent;

import org.jspecify.annotations.NullMarked;
