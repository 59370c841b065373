/** What the user sees: steps with their times, tables, JSON. */
@NullMarked
package org.madcast.agent.terminal;

import org.jspecify.annotations.NullMarked;
