/** Faults at members of `settings`, by the member's own name. */
export function settingFaults(faults: Readonly<Record<string, string>>): Record<string, string> {
  const prefix = 'settings.'
  const own = Object.entries(faults).filter(([name]) => name.startsWith(prefix))
  return Object.fromEntries(own.map(([name, fault]) => [name.slice(prefix.length), fault]))
}
