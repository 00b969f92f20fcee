// The target's first file is on its way.
