/** What stands behind a flag of the command line; undefined: the flag is not there. */
export function flagValue(flag: string): string | undefined {
  const at = process.argv.indexOf(flag)
  return at === -1 ? undefined : process.argv[at + 1]
}

export function flagNumber(flag: string): number | undefined {
  const value = flagValue(flag)
  return value === undefined ? undefined : Number(value)
}
