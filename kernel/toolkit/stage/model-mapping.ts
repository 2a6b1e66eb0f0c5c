/** Which name a channel knows a model by. */

/** Chains are followed to their end; a name mapped to itself stops. Undefined: the mapping runs in a circle. */
export function mappedModel(
  mapping: Readonly<Record<string, string>>,
  requested: string,
): string | undefined {
  if (!Object.hasOwn(mapping, requested)) return requested
  const seen = new Set<string>()
  let name = requested
  for (;;) {
    const next = Object.hasOwn(mapping, name) ? mapping[name] : undefined
    if (next === undefined || next === name) return name
    if (seen.has(next) || next === requested) return undefined
    seen.add(next)
    name = next
  }
}
