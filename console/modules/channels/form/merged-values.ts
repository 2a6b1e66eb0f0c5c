/**
 * Two admins at one channel: what somebody else has saved meanwhile comes into the form, what was typed here stays, and
 * what both have changed is named.
 */
import type { ChannelValues } from './channel-values.js'

export interface Merged {
  readonly values: ChannelValues
  /** Of documents the member: `settings.region`. */
  readonly both: readonly string[]
}

export interface Versions {
  /** As the form shows it. */
  readonly mine: ChannelValues
  /** As it was when the form was filled. */
  readonly before: ChannelValues
  /** As it is stored now. */
  readonly theirs: ChannelValues
}

type Members = Readonly<Record<string, unknown>>

const documents: ReadonlySet<string> = new Set(['setting', 'settings'])
const lists: ReadonlySet<string> = new Set(['models', 'group'])

export function mergedValues({ mine, before, theirs }: Versions): Merged {
  const both: string[] = []

  function member(name: string, [own, old, other]: readonly unknown[]): unknown {
    if (same(own, old)) return other
    if (!same(other, old) && !same(own, other)) both.push(name)
    return own
  }

  function field(name: string, versions: readonly unknown[]): unknown {
    if (lists.has(name)) return mergedNames(versions as readonly string[][])
    if (!documents.has(name)) return member(name, versions)
    const [own, old, other] = versions as readonly Members[]
    const names = [...new Set([...Object.keys(other!), ...Object.keys(own!)])]
    const members = names.map(
      (one) => [one, member(`${name}.${one}`, [own![one], old![one], other![one]])] as const,
    )
    return Object.fromEntries(members.filter(([, value]) => value !== undefined))
  }

  const names = Object.keys(mine) as (keyof ChannelValues)[]
  const fields = names.map((name) => [name, field(name, [mine[name], before[name], theirs[name]])])
  return { values: Object.fromEntries(fields), both }
}

/** What either has added is there, what either has taken out is not. */
function mergedNames([mine = [], before = [], theirs = []]: readonly string[][]): string[] {
  if (same(mine, before)) return theirs
  const kept = theirs.filter((name) => mine.includes(name) || !before.includes(name))
  const added = mine.filter((name) => !before.includes(name) && !theirs.includes(name))
  const merged = [...kept, ...added]
  // The order is that of whoever typed last.
  return merged.toSorted().join() === mine.toSorted().join() ? mine : merged
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
