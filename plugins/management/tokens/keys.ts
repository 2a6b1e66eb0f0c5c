/** Reading and changing API keys. The owner stands in every WHERE: another's key does not exist (failures.md X12). */
import type { Knex } from 'knex'
import { type PartialModelObject, raw } from 'objection'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Changes, Database, SecretBox } from '../../../kernel/contract/service.js'
import { Refusal } from '../../../kernel/errors.js'
import type { Identity } from '../../services/identity/index.js'
import type { Paging, TokenChanges, TokenForm } from './forms.js'
import { shownState, states, TokenRow } from './token-row.js'

export interface Keys {
  page(
    userId: number,
    paging: Paging,
  ): Promise<{ readonly rows: TokenRow[]; readonly total: number }>
  get(userId: number, id: number): Promise<TokenRow>
  create(userId: number, form: TokenForm): Promise<{ readonly row: TokenRow; readonly key: string }>
  update(userId: number, changes: TokenChanges): Promise<TokenRow>
  remove(userId: number, id: number): Promise<void>
  /** The whole key, with `sk-`. */
  reveal(userId: number, id: number): Promise<string>
}

export interface KeysTerms {
  readonly database: Database
  readonly changes: Changes
  readonly identity: Identity
  readonly secrets: SecretBox
  readonly clock: Clock
  tokensMax(): number
}

export function keys(terms: KeysTerms): Keys {
  const { database, changes, identity, secrets, clock } = terms
  const { knex } = database

  async function page(userId: number, { p, page_size }: Paging) {
    const { results, total } = await owned(knex, userId)
      .orderBy('id', 'desc')
      .page(Math.max(p, 1) - 1, page_size)
    return { rows: results, total }
  }

  async function get(userId: number, id: number, from: Knex = knex): Promise<TokenRow> {
    return (await owned(from, userId).where({ id }).first()) ?? missing()
  }

  async function create(userId: number, form: TokenForm) {
    const most = terms.tokensMax()
    if ((await owned(knex, userId).resultSize()) >= most) {
      throw new Refusal('conflict', { reason: `A user has at most ${most} API keys.` })
    }
    const { key, hash, tail } = identity.newKey()
    const row = await write(async (trx) => {
      const fields = { ...patchOf(form), limit_quota: firstLimit(form) }
      const made = await TokenRow.query(trx)
        .insert({ ...fields, user_id: userId, key_hash: hash, key_sealed: '', key_tail: tail })
        .returning('*')
      // The place of the seal holds the id, which is known only now.
      const key_sealed = secrets.seal(place(made.id), key)
      await TokenRow.query(trx).findById(made.id).patch({ key_sealed })
      await changes.note(trx, 'tokens', made.id)
      return made
    })
    return { row, key: `sk-${key}` }
  }

  function update(userId: number, form: TokenChanges): Promise<TokenRow> {
    return write(async (trx) => {
      const before = await owned(trx, userId).where({ id: form.id }).forNoKeyUpdate().first()
      const patch = { ...patchOf(form), ...limitPatch(form), ...statusPatch(form) }
      if (before === undefined) return missing()
      if (Object.keys(patch).length > 0)
        await owned(trx, userId).where({ id: form.id }).patch(patch)
      const after = await get(userId, form.id, trx)
      if (form.status === states.on) mustBeUsable(after)
      await changes.note(trx, 'tokens', form.id)
      return after
    })
  }

  /** Switching on what would be refused at once is refused here. */
  function mustBeUsable(row: TokenRow): void {
    const state = shownState(row, clock.now())
    if (state === states.on) return
    const reason =
      state === states.expired
        ? 'The API key has expired; give it a later time first.'
        : 'The API key has no quota left; give it some first.'
    throw new Refusal('invalid_field', { reason, param: 'status' })
  }

  async function remove(userId: number, id: number): Promise<void> {
    await write(async (trx) => {
      const gone = { status: states.off, deleted_at: raw('now()') }
      if ((await owned(trx, userId).where({ id }).patch(gone)) === 0) missing()
      await changes.note(trx, 'tokens', id)
    })
  }

  async function reveal(userId: number, id: number): Promise<string> {
    const row = await get(userId, id)
    return `sk-${secrets.open(place(id), row.key_sealed)}`
  }

  async function write<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    const done = await knex.transaction(work)
    await changes.settled()
    return done
  }

  return { page, get, create, update, remove, reveal }
}

function owned(from: Knex, userId: number) {
  return TokenRow.query(from).where({ user_id: userId }).whereNull('deleted_at')
}

function place(id: number): string {
  return `tokens:${id}:key`
}

/** Fields that mean the same when made and when changed; those left out are left out. */
function patchOf(form: TokenForm): PartialModelObject<TokenRow> {
  const { name, group, cross_group_retry, model_limits, allow_ips, expired_time } = form
  // A list of models without a word on whether it counts is meant to count.
  const enabled =
    form.model_limits_enabled ?? (model_limits && model_limits.length > 0 ? true : undefined)
  const expires = expired_time === -1 ? null : new Date((expired_time ?? 0) * 1000)
  return {
    ...(name !== undefined && { name }),
    ...(group !== undefined && { group }),
    ...(cross_group_retry !== undefined && { cross_group_retry }),
    ...(model_limits !== undefined && { model_limits: [...model_limits] }),
    ...(enabled !== undefined && { model_limits_enabled: enabled }),
    ...(allow_ips !== undefined && { allow_ips: [...allow_ips] }),
    ...(expired_time !== undefined && { expires_at: expires }),
  }
}

/** A new key that names neither a quota nor its absence is capped by its owner's wallet alone. */
function firstLimit(form: TokenForm): bigint | null {
  const unlimited = form.unlimited_quota ?? form.remain_quota === undefined
  return unlimited ? null : BigInt(form.remain_quota ?? 0)
}

/**
 * `remain_quota` is what may still be spent, the stored limit what may be spent in all: limit = remain + used + held,
 * computed on the row as it stands. A quota without a word on unlimited leaves an unlimited key unlimited.
 */
function limitPatch({ unlimited_quota, remain_quota }: TokenForm): PartialModelObject<TokenRow> {
  if (unlimited_quota === true) return { limit_quota: null }
  const limit = raw('greatest(0, ?::bigint + used + held)', [remain_quota ?? 0])
  if (unlimited_quota === false) {
    const kept = raw('coalesce(limit_quota, used + held)')
    return { limit_quota: remain_quota === undefined ? kept : limit }
  }
  if (remain_quota === undefined) return {}
  return { limit_quota: raw('CASE WHEN limit_quota IS NOT NULL THEN ? END', [limit]) }
}

function statusPatch({ status }: TokenForm): PartialModelObject<TokenRow> {
  return status === states.on || status === states.off ? { status } : {}
}

function missing(): never {
  throw new Refusal('gone_missing', { what: 'API key', param: 'id' })
}
