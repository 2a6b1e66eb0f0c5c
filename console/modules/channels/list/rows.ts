/** Rows of the table: channels, or tags with the channels below them. */
import type { Channel } from '../../../api/channels.js'

interface ChannelRow {
  readonly kind: 'channel'
  readonly key: number
  readonly channel: Channel
}

export interface TagRow {
  readonly kind: 'tag'
  readonly key: string
  readonly tag: string
  /** Of all channels of the tag that were found; below it may stand fewer. */
  readonly count: number
  readonly children: readonly ChannelRow[]
}

export type Row = ChannelRow | TagRow

/** Gathered by tag where the page is one over tags. */
export function rowsOf(channels: readonly Channel[]): readonly Row[] {
  const rows = channels.map((channel) => ({ kind: 'channel', key: channel.id, channel }) as const)
  return channels.some(({ tag_total }) => tag_total !== undefined) ? gathered(rows) : rows
}

/** Each tag stands where its first channel would; a channel without one stands by itself. */
function gathered(rows: readonly ChannelRow[]): readonly Row[] {
  const tags = new Map<string, ChannelRow[]>()
  for (const row of rows) tags.set(row.channel.tag, [...(tags.get(row.channel.tag) ?? []), row])
  const shown = new Set<string>()
  return rows.flatMap((row): readonly Row[] => {
    const { tag, tag_total: count = 0 } = row.channel
    if (tag === '') return [row]
    if (shown.has(tag)) return []
    shown.add(tag)
    const children = tags.get(tag) ?? []
    return [{ kind: 'tag', key: `tag:${tag}`, tag, count, children }]
  })
}
