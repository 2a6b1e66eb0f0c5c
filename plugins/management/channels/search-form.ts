/** What lists of channels take: filters, order, and whether rows are gathered by tag (management/README.md section 6). */
import joi from 'joi'
import { pagedQuery } from '../../../kernel/toolkit/management/index.js'
import { line } from './forms.js'

export interface ChannelFilter {
  readonly type?: number
  /** `disabled` is whoever did it; `auto_disabled` the gateway alone. */
  readonly status: 'enabled' | 'disabled' | 'auto_disabled' | 'all'
  /** `open`: something of the channel fails and is left alone for now. `parked`: it has to wait. `closed`: neither. */
  readonly breaker: 'open' | 'parked' | 'closed' | ''
  readonly keyword: string
  readonly group: string
  readonly model: string
  readonly tag: string
  /** Whether it is stated what the upstream charges. */
  readonly cost: 'set' | 'none' | ''
}

export interface ChannelSearch extends ChannelFilter {
  readonly p: number
  readonly page_size: number
  readonly sort_by?: SortColumn
  readonly sort_order: 'asc' | 'desc'
  /** Older scripts: true by id, false by priority. */
  readonly id_sort?: boolean
  readonly tag_mode: boolean
}

/** Names of the family → columns. */
export const sortColumns = {
  id: 'id',
  name: 'name',
  priority: 'priority',
  balance: 'balance',
  response_time: 'response_ms',
  test_time: 'tested_at',
  // Of what stands in sums of the usage log.
  used_quota: 'spent.quota',
} as const

/** Columns that may be empty. */
export const nullable: ReadonlySet<string> = new Set(['balance', 'tested_at', 'spent.quota'])

type SortColumn = keyof typeof sortColumns

/** `type` reads the type of a channel. */
export const filterKeys = (type: joi.Schema): joi.PartialSchemaMap => ({
  type: type.empty(''),
  status: joi.valid('enabled', 'disabled', 'auto_disabled', 'all').empty('').default('all'),
  breaker: joi.valid('open', 'parked', 'closed').empty('').default(''),
  // As long as an address may be: an exact key finds its channel.
  keyword: line.max(16_384).default(''),
  group: line.max(256).default(''),
  model: line.max(256).default(''),
  tag: line.max(128).default(''),
  cost: joi.valid('set', 'none').empty('').default(''),
})

export const channelSearch = (type: joi.Schema) =>
  pagedQuery({
    sort_by: joi.valid(...Object.keys(sortColumns)).empty(''),
    sort_order: joi.valid('asc', 'desc').empty('').default('desc'),
    id_sort: joi.boolean().empty(''),
    tag_mode: joi.boolean().empty('').default(false),
    ...filterKeys(type),
  })
