/** One page of the figures of several processes: each sample says whose it is, and what is said of a metric is said once. */

interface Family {
  /** HELP and TYPE. */
  readonly head: string[]
  readonly samples: string[]
}

export interface Page {
  /** Number of the process. */
  readonly from: number
  readonly text: string
}

export function pageOfAll(pages: readonly Page[]): string {
  const families = new Map<string, Family>()
  for (const { from, text } of pages) add(families, from, text)
  const lines = [...families.values()].flatMap(({ head, samples }) => [...head, ...samples])
  return `${lines.join('\n')}\n`
}

function add(families: Map<string, Family>, from: number, text: string): void {
  let family: Family = { head: [], samples: [] }
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, what, name = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? []
    if (what === undefined) {
      family.samples.push(labelled(line, from))
      continue
    }
    const known = families.get(name)
    family = known ?? { head: [], samples: [] }
    families.set(name, family)
    // The first page of them says it.
    if (!family.head.some((said) => said.startsWith(`# ${what} `))) family.head.push(line)
  }
}

/** `name 1` and `name{kind="relay"} 1`. */
function labelled(sample: string, from: number): string {
  const at = sample.search(/[{ ]/)
  const label = `worker="${from}"`
  const name = sample.slice(0, at)
  if (sample[at] !== '{') return `${name}{${label}}${sample.slice(at)}`
  return `${name}{${label},${sample.slice(at + 1)}`
}
