/** Databases by the names people know. */
const names: Readonly<Record<string, string>> = { pglite: 'PGlite', postgresql: 'PostgreSQL' }

export function databaseName(kind: string | undefined): string {
  return kind === undefined ? '—' : (names[kind] ?? kind)
}
