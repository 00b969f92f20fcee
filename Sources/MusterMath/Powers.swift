import Glibc

/// e to the power of `exponent`.
package func exponential(_ exponent: Double) -> Double { exp(exponent) }

/// Two to the power of `exponent`.
package func powerOfTwo(_ exponent: Double) -> Double { exp2(exponent) }

/// The logarithm of a positive `value` to the base e; −∞ for 0.
package func naturalLogarithm(_ value: Double) -> Double { log(value) }

/// The logarithm of a positive `value` to the base 10; −∞ for 0.
package func decimalLogarithm(_ value: Double) -> Double { log10(value) }
