@NullMarked
package org.madcast.lab;

import org.jspecify.annotations.NullMarked;
