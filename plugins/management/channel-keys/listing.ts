/** The keys of a channel as an admin sees them: their states, and of each no more than its beginning. */
import type { Knex } from 'knex'
import type { KeyForm } from './forms.js'

interface KeyRow {
  readonly id: number
  readonly sealed: string
  readonly status: number
  readonly disabled_at: Date | null
  readonly disabled_reason: string
}

type Listing = Extract<KeyForm, { readonly action: 'get_key_status' }>

interface PlacedRow extends KeyRow {
  readonly place: bigint
}

interface StatusCount {
  readonly status: number
  readonly keys: bigint
}

const previewCharacters = 10
const endCharacters = 4
/** Of a shorter key the end is not shown. */
const endsFrom = 24

export async function keyListing(knex: Knex, form: Listing, open: (sealed: string) => string) {
  const { channel_id, page_size, status } = form
  const page = Math.max(form.page, 1)
  const counts = await countsOf(knex, channel_id)
  const total = status === undefined ? sum([...counts.values()]) : (counts.get(status) ?? 0)
  const rows = await rowsOf(knex, { ...form, page })
  return {
    keys: rows.map((row) => keyRecord(row, open)),
    total,
    page,
    page_size,
    total_pages: Math.ceil(total / page_size),
    enabled_count: counts.get(1) ?? 0,
    manual_disabled_count: counts.get(2) ?? 0,
    auto_disabled_count: counts.get(3) ?? 0,
  }
}

async function countsOf(knex: Knex, channelId: number): Promise<ReadonlyMap<number, number>> {
  const rows = await knex('channel_keys')
    .where('channel_id', channelId)
    .groupBy('status')
    .select<StatusCount[]>('status', knex.raw('count(*) AS keys'))
  return new Map(rows.map((row) => [row.status, Number(row.keys)]))
}

function rowsOf(knex: Knex, { channel_id, page, page_size, status }: Listing) {
  const placed = knex('channel_keys')
    .where('channel_id', channel_id)
    .select('*', knex.raw('row_number() OVER (ORDER BY id) - 1 AS place'))
    .as('placed')
  return knex
    .from(placed)
    .where((where) => {
      if (status !== undefined) where.where('status', status)
    })
    .orderBy('place')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .select<PlacedRow[]>('*')
}

function keyRecord(row: PlacedRow, open: (sealed: string) => string) {
  const { status, disabled_reason } = row
  return {
    id: row.id,
    index: Number(row.place),
    status,
    disabled_time: row.disabled_at === null ? 0 : Math.floor(row.disabled_at.getTime() / 1000),
    reason: disabled_reason,
    key_preview: preview(row.sealed, open),
  }
}

/** The first characters and the last four, and never more than half of a key: a short one is not shown in whole. */
function preview(sealed: string, open: (sealed: string) => string): string {
  try {
    const key = open(sealed)
    const shown = Math.min(previewCharacters, Math.floor(key.length / 3))
    const end = key.length >= endsFrom ? key.slice(-endCharacters) : ''
    return `${key.slice(0, shown)}...${end}`
  } catch {
    return ''
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0)
}
