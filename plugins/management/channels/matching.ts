/** Which channels a filter finds (management/README.md section 6). */
import type { Knex } from 'knex'
import { containing } from '../../../kernel/toolkit/service/index.js'
import type { Channels } from '../../services/channels/index.js'
import type { BreakerStatus, Health } from '../../services/health/index.js'
import type { ChannelFilter } from './search-form.js'

export interface Matching {
  (where: Knex.QueryBuilder): void
  /** The same, whatever type was requested. */
  ofAnyType(where: Knex.QueryBuilder): void
}

export interface MatchingSources {
  readonly channels: Channels
  readonly health: Health
}

/** Keys are sealed in the table and breakers are not in it: both are looked up in memory, once. */
export async function matching(sources: MatchingSources, filter: ChannelFilter): Promise<Matching> {
  const holders = holdersOf(sources.channels, filter.keyword)
  const resting = filter.breaker === '' ? [] : await restingOf(sources.health, filter.breaker)

  const ofAnyType = (where: Knex.QueryBuilder) => {
    const { status, group, model, tag, keyword, breaker, cost } = filter
    if (status === 'enabled') where.where('status', 1)
    if (status === 'disabled') where.whereNot('status', 1)
    if (status === 'auto_disabled') where.where('status', 3)
    if (group !== '') where.whereRaw('groups @> ARRAY[?]::text[]', [group])
    if (model !== '') where.whereRaw('models @> ARRAY[?]::text[]', [model])
    if (tag !== '') where.where('tag', tag)
    if (cost === 'set') where.whereNotNull('cost_terms')
    if (cost === 'none') where.whereNull('cost_terms')
    if (keyword !== '') where.where((any) => named(any, keyword, holders))
    if (breaker !== '') where.whereRaw(breaker === 'closed' ? outside : inside, [[...resting]])
  }
  const match = (where: Knex.QueryBuilder) => {
    ofAnyType(where)
    if (filter.type !== undefined) where.where('type', filter.type)
  }
  return Object.assign(match, { ofAnyType })
}

/** One parameter, however many they are. */
const inside = 'channels.id = ANY(?::int[])'
const outside = 'channels.id <> ALL(?::int[])'

/** `closed` leaves out whoever has any. */
async function restingOf(
  health: Health,
  which: Exclude<ChannelFilter['breaker'], ''>,
): Promise<readonly number[]> {
  const of: Readonly<Record<typeof which, (state: BreakerStatus['state']) => boolean>> = {
    open: (state) => state !== 'parked',
    parked: (state) => state === 'parked',
    closed: () => true,
  }
  const all = await health.breakersOfAll()
  return [...new Set(all.filter(({ state }) => of[which](state)).map((one) => one.channelId))]
}

/** Channels one of whose keys is the very text. */
function holdersOf(channels: Channels, keyword: string): readonly number[] {
  if (keyword === '') return []
  return channels
    .all()
    .filter((channel) => channel.keys.some((key) => key.text === keyword))
    .map((channel) => channel.id)
}

function named(any: Knex.QueryBuilder, keyword: string, holders: readonly number[]): void {
  const like = containing(keyword)
  any.where('name', 'ilike', like).orWhere('base_url', 'ilike', like)
  if (/^\d{1,9}$/.test(keyword)) any.orWhere('channels.id', Number(keyword))
  if (holders.length > 0) any.orWhereIn('channels.id', [...holders])
}
