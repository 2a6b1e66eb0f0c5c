/**
 * What of the contract is deprecated: fields of manifests and members of the kit. They work until the version that removes
 * them, and whoever uses one is warned once, in the log and on the page of plugins. Functions of the toolkit are wrapped by
 * `deprecate` of `node:util` where they stand.
 */

export interface Deprecation {
  /** Of a manifest, the path: `routes[].limiter`. Of the kit, the member or one of its functions: `fetch`, `log.debug`. */
  readonly name: string
  /** Version of the contract that deprecated it. */
  readonly since: string
  /** What takes its place, as it reads behind "use". */
  readonly replacement: string
  /** Version of the contract that removes it. */
  readonly removal: string
}

export interface Deprecations {
  readonly manifest: readonly Deprecation[]
  readonly kit: readonly Deprecation[]
}

export const deprecations: Deprecations = { manifest: [], kit: [] }

/** A sentence for every deprecated field the manifest has, each name once. */
export function deprecatedFields(
  manifest: unknown,
  table: readonly Deprecation[],
): readonly string[] {
  return table
    .filter(({ name }) => isThere(manifest, name.split('.')))
    .map((one) => sentenceOf(`The manifest has the field "${one.name}"`, one))
}

/** The kit, which passes a sentence to `note` each time a deprecated member is read. Without any it is the same object. */
export function watchedKit<Kit extends object>(
  kit: Kit,
  table: readonly Deprecation[],
  note: (sentence: string) => void,
): Kit {
  return watched(kit, table, '', (one) => note(sentenceOf(`It uses "${one.name}" of its kit`, one)))
}

function sentenceOf(use: string, { since, replacement, removal }: Deprecation): string {
  return `${use}, which is deprecated since version ${since} of the contract and gone in ${removal}; use ${replacement}.`
}

function isThere(value: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return true
  if (typeof value !== 'object' || value === null) return false
  const name = step.replace(/\[\]$/, '')
  if (!Object.hasOwn(value, name)) return false
  const member = value[name as keyof typeof value] as unknown
  if (name === step) return isThere(member, rest)
  return Array.isArray(member) && member.some((item) => isThere(item, rest))
}

function watched<Part extends object>(
  part: Part,
  table: readonly Deprecation[],
  place: string,
  note: (one: Deprecation) => void,
): Part {
  const below = table.filter(({ name }) => name.startsWith(place))
  if (below.length === 0) return part
  // The target is empty, since a frozen one allows no member to be anything but what it is.
  return new Proxy({} as Part, {
    get(_, name) {
      const value: unknown = Reflect.get(part, name, part)
      const path = `${place}${String(name)}`
      const one = below.find((entry) => entry.name === path)
      if (one !== undefined) note(one)
      if (typeof value === 'function') return value.bind(part)
      const isPart = typeof value === 'object' && value !== null
      return isPart ? watched(value, below, `${path}.`, note) : value
    },
    has: (_, name) => Reflect.has(part, name),
    ownKeys: () => Reflect.ownKeys(part),
    getOwnPropertyDescriptor: (_, name) => ({
      ...Reflect.getOwnPropertyDescriptor(part, name),
      configurable: true,
    }),
    set: () => false,
  })
}
