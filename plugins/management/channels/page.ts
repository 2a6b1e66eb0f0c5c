/** Pages of channels: filtered, in the order requested, and on request gathered by tag. */

import type { Knex } from 'knex'
import { containing } from '../../../kernel/toolkit/service/index.js'
import type { ChannelRow, Channels } from '../../services/channels/index.js'
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
const place = `CASE WHEN tag = '' THEN 'channel ' || id ELSE 'tag ' || tag END`

export async function channelPage(
  { knex, channels }: { readonly knex: Knex; readonly channels: Channels },
  search: ChannelSearch,
): Promise<ChannelPage> {
  const match = matching(search, holdersOf(channels, search.keyword))
  const [found, typeCounts] = await Promise.all([
    search.tag_mode ? byTag(knex, search, match) : byChannel(knex, search, match),
    countTypes(knex, matching({ ...search, type: undefined }, match.holders)),
  ])
  return { ...found, typeCounts }
}

interface Matching {
  (where: Knex.QueryBuilder): void
  readonly holders: readonly number[]
}

async function byChannel(knex: Knex, search: ChannelSearch, match: Matching) {
  const [rows, [counted]] = await Promise.all([
    knex('channels')
      .where(match)
      .select<ChannelRow[]>('*')
      .orderByRaw(`?? ${direction(search)}, id DESC`, [columnOf(search)])
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

async function byTag(knex: Knex, search: ChannelSearch, match: Matching) {
  const lead = search.sort_order === 'asc' ? 'min' : 'max'
  const places = await knex('channels')
    .where(match)
    .groupByRaw(place)
    .select<Place[]>(
      knex.raw(`${place} AS place`),
      knex.raw(`${lead}(??) AS lead`, [columnOf(search)]),
      knex.raw('max(tag) AS tag'),
      knex.raw('count(*) AS channels'),
    )
    .orderByRaw(`lead ${direction(search)}, place`)
    .limit(search.page_size)
    .offset(pageOf(search) * search.page_size)
  const named = places.map((row) => row.place)
  const [rows, total] = await Promise.all([
    rowsOf(knex, search, match, named),
    countPlaces(knex, match),
  ])
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
  knex: Knex,
  search: ChannelSearch,
  match: Matching,
  places: readonly string[],
): Promise<ChannelRow[]> {
  if (places.length === 0) return []
  const placed = await knex('channels')
    .where(match)
    .whereRaw(`${place} = ANY(?::text[])`, [[...places]])
    .select<Placed[]>(
      'id',
      knex.raw(`${place} AS place`),
      knex.raw(
        `row_number() OVER (PARTITION BY ${place} ORDER BY ?? ${direction(search)}, id DESC) AS nth`,
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

async function countTypes(knex: Knex, match: Matching): Promise<Record<string, number>> {
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

/** What was never measured stands where 0 would. A column that always has a value can be read by its index. */
function direction(search: ChannelSearch): string {
  const { sort_order } = search
  if (!nullable.has(columnOf(search))) return sort_order
  return sort_order === 'asc' ? 'ASC NULLS FIRST' : 'DESC NULLS LAST'
}

function pageOf({ p }: ChannelSearch): number {
  return Math.max(p, 1) - 1
}

/** Channels one of whose keys is the very text: keys are sealed in the table, and open only in memory. */
function holdersOf(channels: Channels, keyword: string): readonly number[] {
  if (keyword === '') return []
  return channels
    .all()
    .filter((channel) => channel.keys.some((key) => key.text === keyword))
    .map((channel) => channel.id)
}

function matching(search: ChannelSearch, holders: readonly number[]): Matching {
  const { type, status, group, model, tag } = search
  const match = (where: Knex.QueryBuilder) => {
    if (type !== undefined) where.where('type', type)
    if (status === 'enabled') where.where('status', 1)
    if (status === 'disabled') where.whereNot('status', 1)
    if (status === 'auto_disabled') where.where('status', 3)
    if (group !== '') where.whereRaw('groups @> ARRAY[?]::text[]', [group])
    if (model !== '') where.whereRaw('models @> ARRAY[?]::text[]', [model])
    if (tag !== '') where.where('tag', tag)
    if (search.keyword !== '') where.where((any) => named(any, search.keyword, holders))
  }
  return Object.assign(match, { holders })
}

function named(any: Knex.QueryBuilder, keyword: string, holders: readonly number[]): void {
  const like = containing(keyword)
  any.where('name', 'ilike', like).orWhere('base_url', 'ilike', like)
  if (/^\d{1,9}$/.test(keyword)) any.orWhere('id', Number(keyword))
  if (holders.length > 0) any.orWhereIn('id', [...holders])
}
