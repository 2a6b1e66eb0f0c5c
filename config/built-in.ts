/** Where the built-in plugins stand, beside this compiled module. */
export const builtInRoots: readonly URL[] = [
  new URL('../plugins/', import.meta.url),
  new URL('../providers/', import.meta.url),
]
