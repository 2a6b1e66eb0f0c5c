/** Faults at members of a document, by the member's own name. */
export function memberFaults(
  faults: Readonly<Record<string, string>>,
  document: 'setting' | 'settings',
): Record<string, string> {
  const prefix = `${document}.`
  const own = Object.entries(faults).filter(([name]) => name.startsWith(prefix))
  return Object.fromEntries(own.map(([name, fault]) => [name.slice(prefix.length), fault]))
}
