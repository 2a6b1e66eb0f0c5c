/** Rows of `redemption_codes`, with their last use. */
import { hash } from 'node:crypto'
import type { Knex } from 'knex'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import { containing } from '../../../kernel/toolkit/service/index.js'
import type { CodeQuery, CodeState, RedemptionCode } from './redemption.js'

export interface CodeRow {
  readonly id: number
  readonly batch: string
  readonly creator_id: number
  readonly code_hash: Buffer
  readonly code_sealed: string
  readonly name: string
  readonly quota: bigint | number | string
  readonly is_on: boolean
  readonly uses_max: number
  readonly uses: number
  readonly created_at: Date
  readonly expires_at: Date | null
}

interface UsedRow extends CodeRow {
  readonly redeemed_at: Date | null
  readonly redeemed_by: number | null
}

const codeShape = /^[0-9a-f]{32}$/

/** Undefined: no code looks like this. */
export function hashOf(code: string): Buffer | undefined {
  const plain = code.trim().toLowerCase()
  return codeShape.test(plain) ? hash('sha256', plain, 'buffer') : undefined
}

export function placeOf(codeHash: Buffer): string {
  return `redemption_codes:${codeHash.toString('hex')}:code`
}

/** What is switched off is off, whatever else is true of it. */
export function stateOf(row: CodeRow, now: Date): CodeState {
  if (!row.is_on) return 'off'
  if (row.uses >= row.uses_max) return 'used'
  return row.expires_at !== null && row.expires_at <= now ? 'expired' : 'on'
}

export function withLastUse(knex: Knex) {
  const last = knex('redemptions as r')
    .whereRaw('r.code_id = c.id')
    .orderBy('r.redeemed_at', 'desc')
    .limit(1)
  return knex('redemption_codes as c').select<UsedRow[]>(
    'c.*',
    last.clone().select('r.redeemed_at').as('redeemed_at'),
    last.clone().select('r.user_id').as('redeemed_by'),
  )
}

/** The same order as `stateOf`. */
export function inState(builder: Knex.QueryBuilder, state: CodeState, now: Date): void {
  if (state === 'off') {
    builder.where('c.is_on', false)
    return
  }
  builder.where('c.is_on', true)
  if (state === 'used') {
    builder.whereRaw('c.uses >= c.uses_max')
    return
  }
  builder.whereRaw('c.uses < c.uses_max')
  if (state === 'expired') builder.where('c.expires_at', '<=', now)
  else builder.where((open) => open.whereNull('c.expires_at').orWhere('c.expires_at', '>', now))
}

/** @param names those that hold the text; undefined: too many to name */
export function matching(
  builder: Knex.QueryBuilder,
  { batch, search = '' }: CodeQuery,
  names?: readonly string[],
): void {
  if (batch !== undefined) builder.where('c.batch', batch)
  if (search === '') return
  const codeHash = hashOf(search)
  builder.where((either) => {
    if (names === undefined) either.where('c.name', 'ilike', containing(search))
    else either.whereIn('c.name', names)
    if (codeHash !== undefined) either.orWhere('c.code_hash', codeHash)
    if (/^\d{1,9}$/.test(search)) either.orWhere('c.id', Number(search))
  })
}

export function codeOf(row: UsedRow, secrets: SecretBox, now: Date): RedemptionCode {
  return {
    id: row.id,
    batch: row.batch,
    creatorId: row.creator_id,
    code: secrets.open(placeOf(row.code_hash), row.code_sealed),
    name: row.name,
    quota: BigInt(row.quota),
    state: stateOf(row, now),
    usesMax: row.uses_max,
    uses: row.uses,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    redeemedAt: row.redeemed_at ?? undefined,
    redeemedBy: row.redeemed_by ?? undefined,
  }
}
