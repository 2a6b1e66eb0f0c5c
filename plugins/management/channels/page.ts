/** Pages of channels: filtered, in the order requested, and on request gathered by tag. */

import type { Knex } from 'knex'
import type { ChannelRow } from '../../services/channels/index.js'
import type { UsageLog } from '../../services/usage-log/index.js'
import { type Matching, type MatchingSources, matching } from './matching.js'
import { type ChannelSearch, nullable, sortColumns } from './search-form.js'

export interface ChannelPage {
  readonly rows: readonly ChannelRow[]
  /** Of channels, or of tags where the page is over tags. */
  readonly total: number
  /** Channels of each type, and `all`, whatever type was requested. */
  readonly typeCounts: Readonly<Record<string, number>>
  /** Channels found of each tag of the page, those that are not shown included; none where it is not over tags. */
  readonly tagCounts: Readonly<Record<string, number>>
}

/**
 * Rows of one page over tags. Where its tags have more, each shows its first ones, as many of one as of another; a list of
 * that tag alone, by its pages, has them all.
 */
const tagRowsMax = 1_000
/** A tag and its channels are one place of the list; a channel without a tag is one by itself. */
const place = `CASE WHEN tag = '' THEN 'channel ' || channels.id ELSE 'tag ' || tag END`

export interface PageSources extends MatchingSources {
  readonly knex: Knex
  readonly usage: UsageLog
}

/** The channels found, in a table that can be ordered by what was spent, where that is requested. */
interface Found {
  readonly knex: Knex
  readonly match: Matching
  rows(): Knex.QueryBuilder
}

export async function channelPage(
  sources: PageSources,
  search: ChannelSearch,
): Promise<ChannelPage> {
  const { knex } = sources
  const match = await matching(sources, search)
  const spent = columnOf(search) === sortColumns.used_quota ? await spentOf(sources) : undefined
  const rows = () => {
    const query = knex('channels').where(match)
    return spent === undefined ? query : query.joinRaw(spentTable, spent)
  }
  const found: Found = { knex, match, rows }
  const [page, typeCounts] = await Promise.all([
    search.tag_mode ? byTag(found, search) : byChannel(found, search),
    countTypes(knex, match.ofAnyType),
  ])
  return { ...page, typeCounts }
}

const spentTable =
  'LEFT JOIN unnest(?::int[], ?::bigint[]) AS spent (channel_id, quota) ON spent.channel_id = channels.id'

async function spentOf({ usage }: PageSources): Promise<[number[], string[]]> {
  const spent = await usage.channelUsage()
  return [[...spent.keys()], [...spent.values()].map(String)]
}

async function byChannel({ knex, match, rows: found }: Found, search: ChannelSearch) {
  const [rows, [counted]] = await Promise.all([
    found()
      .select<ChannelRow[]>('channels.*')
      .orderByRaw(`?? ${direction(search)}, channels.id DESC`, [columnOf(search)])
      .limit(search.page_size)
      .offset(pageOf(search) * search.page_size),
    knex('channels').where(match).select<{ total: bigint }[]>(knex.raw('count(*) AS total')),
  ])
  return { rows, total: Number(counted?.total ?? 0), tagCounts: {} }
}

interface Place {
  readonly place: string
  readonly tag: string
  readonly channels: bigint
}

async function byTag(found: Found, search: ChannelSearch) {
  const { knex, match } = found
  const places = await found
    .rows()
    .groupByRaw(place)
    .select<Place[]>(
      knex.raw(`${place} AS place`),
      knex.raw(`${leadOf(search)}(??) AS lead`, [columnOf(search)]),
      knex.raw('max(tag) AS tag'),
      knex.raw('count(*) AS channels'),
    )
    .orderByRaw(`lead ${direction(search)}, place`)
    .limit(search.page_size)
    .offset(pageOf(search) * search.page_size)
  const named = places.map((row) => row.place)
  const [rows, total] = await Promise.all([rowsOf(found, search, named), countPlaces(knex, match)])
  const tagged = places.filter(({ tag }) => tag !== '')
  const tagCounts = Object.fromEntries(tagged.map(({ tag, channels }) => [tag, Number(channels)]))
  return { rows, total, tagCounts }
}

interface Placed {
  readonly id: number
  readonly place: string
  /** From 1, within its place. */
  readonly nth: bigint
}

/** In the order of their places. */
async function rowsOf(
  { knex, rows }: Found,
  search: ChannelSearch,
  places: readonly string[],
): Promise<ChannelRow[]> {
  if (places.length === 0) return []
  const placed = await rows()
    .whereRaw(`${place} = ANY(?::text[])`, [[...places]])
    .select<Placed[]>(
      'channels.id',
      knex.raw(`${place} AS place`),
      knex.raw(
        `row_number() OVER (PARTITION BY ${place} ORDER BY ?? ${direction(search)}, channels.id DESC) AS nth`,
        [columnOf(search)],
      ),
    )
    .orderBy('nth')
    .limit(tagRowsMax)
  const order = new Map(places.map((name, at) => [name, at]))
  placed.sort((a, b) => order.get(a.place)! - order.get(b.place)! || Number(a.nth) - Number(b.nth))
  return inOrderOf(
    placed.map(({ id }) => id),
    knex,
  )
}

async function inOrderOf(ids: readonly number[], knex: Knex): Promise<ChannelRow[]> {
  const rows = await knex('channels')
    .select<ChannelRow[]>('*')
    .whereRaw('id = ANY(?::int[])', [[...ids]])
    .limit(tagRowsMax)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

async function countPlaces(knex: Knex, match: Matching): Promise<number> {
  const [row] = await knex('channels')
    .where(match)
    .select<{ readonly places: bigint }[]>(knex.raw(`count(DISTINCT ${place}) AS places`))
  return Number(row?.places ?? 0)
}

async function countTypes(
  knex: Knex,
  match: Matching['ofAnyType'],
): Promise<Record<string, number>> {
  const rows = await knex('channels')
    .where(match)
    .groupBy('type')
    .select<{ readonly type: number; readonly channels: bigint }[]>(
      'type',
      knex.raw('count(*) AS channels'),
    )
  const counts = rows.map(({ type, channels }) => [String(type), Number(channels)] as const)
  const all = counts.reduce((sum, [, channels]) => sum + channels, 0)
  return { ...Object.fromEntries(counts), all }
}

function columnOf({ sort_by, id_sort }: ChannelSearch): string {
  return sortColumns[sort_by ?? (id_sort === false ? 'priority' : 'id')]
}

/** A tag has spent what its channels have; otherwise it stands where its first channel would. */
function leadOf(search: ChannelSearch): 'sum' | 'min' | 'max' {
  if (columnOf(search) === sortColumns.used_quota) return 'sum'
  return search.sort_order === 'asc' ? 'min' : 'max'
}

/** What was never measured stands where 0 would. A column that always has a value can be read by its index. */
function direction(search: ChannelSearch): string {
  const { sort_order } = search
  if (!nullable.has(columnOf(search))) return sort_order
  return sort_order === 'asc' ? 'ASC NULLS FIRST' : 'DESC NULLS LAST'
}

function pageOf({ p }: ChannelSearch): number {
  return Math.max(p, 1) - 1
}
