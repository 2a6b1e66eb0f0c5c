/** What an edit sends: a field somebody else changed meanwhile, and this person did not touch, is left alone. */
export function changedFields<Fields extends object>(
  before: Fields,
  after: Fields,
): Partial<Fields> {
  const changed = Object.entries(after).filter(([name, value]) => {
    return JSON.stringify(value) !== JSON.stringify(before[name as keyof Fields])
  })
  return Object.fromEntries(changed) as Partial<Fields>
}
