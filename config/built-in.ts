/** What the program ships with, beside this compiled module. */

/** Where the built-in plugins stand. */
export const builtInRoots: readonly URL[] = [
  new URL('../plugins/', import.meta.url),
  new URL('../providers/', import.meta.url),
]

/** Pages of the console, as Vite built them. */
export const consolePages = new URL('../public/', import.meta.url)
