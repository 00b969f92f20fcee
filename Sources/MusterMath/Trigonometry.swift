import Glibc

/// The cosine of an angle in radians.
package func cosine(_ angle: Double) -> Double { cos(angle) }

/// The sine of an angle in radians.
package func sine(_ angle: Double) -> Double { sin(angle) }

/// The angle in radians, −π…π, of the point (x, y).
package func arcTangent(_ y: Double, _ x: Double) -> Double { atan2(y, x) }

/// The angle in radians, −π/2…π/2, whose sine is `value`.
package func arcSine(_ value: Double) -> Double { asin(value) }
