@NullMarked
package org.madcast.agent.example;

import org.jspecify.annotations.NullMarked;
