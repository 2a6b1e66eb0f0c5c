/** Reading and changing API keys. The owner stands in every WHERE: another's key does not exist (X12). */

import { hash } from 'node:crypto'
import type { Knex } from 'knex'
import { type QueryBuilder, raw } from 'objection'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Principal } from '../../../kernel/contract/management.js'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { containing } from '../../../kernel/toolkit/service/index.js'
import type { Identity } from '../../services/identity/index.js'
import type { Member, Routing } from '../../services/routing/index.js'
import type { KeySpending, UsageLog } from '../../services/usage-log/index.js'
import { budgetColumns, firstLimit, limitColumns, plainColumns, statusColumns } from './columns.js'
import type { Paging, TokenChanges, TokenForm, TokenSearch } from './forms.js'
import { changedRouting, firstRouting } from './routing-fields.js'
import { budgetsSpent } from './spending.js'
import { type BudgetSpent, shownState, states, TokenRow } from './token-row.js'

export interface Keys {
  page(owner: Owner, paging: Paging & Partial<TokenSearch>): Promise<TokenPage>
  get(owner: Owner, id: number): Promise<TokenRow>
  create(owner: Owner, form: TokenForm): Promise<{ readonly row: TokenRow; readonly key: string }>
  update(owner: Owner, changes: TokenChanges): Promise<TokenRow>
  /** A new key in the place of this one, which stops at once; limits, budget and what was spent stay. Rejects with `gone_missing`. */
  replace(owner: Owner, id: number): Promise<{ readonly row: TokenRow; readonly key: string }>
  remove(owner: Owner, id: number): Promise<void>
  /** Answers how many there were to delete. */
  removeAll(owner: Owner, ids: readonly number[]): Promise<number>
  /** What the budgets of these keys have spent in the period that runs; a key without one is left out. */
  spent(rows: readonly TokenRow[]): Promise<ReadonlyMap<number, BudgetSpent>>
  /** What a key spent by day and by model, over so many days. Rejects with `gone_missing`. */
  usage(owner: Owner, id: number, days: number): Promise<KeySpending>
  /** The whole keys by id, with `sk-`; an id that is not the owner's is left out. */
  reveal(owner: Owner, ids: readonly number[]): Promise<ReadonlyMap<number, string>>
}

type Owner = Pick<Principal, 'userId' | 'group' | 'role'>

interface TokenPage {
  readonly rows: TokenRow[]
  readonly total: number
}

export interface KeysDependencies {
  readonly database: Database
  readonly changes: Changes
  readonly identity: Identity
  readonly secrets: SecretBox
  readonly routing: Routing
  readonly usage: Pick<UsageLog, 'keySpending'>
  readonly clock: Clock
  tokensMax(): number
}

export function keys(dependencies: KeysDependencies): Keys {
  return new StoredKeys(dependencies)
}

class StoredKeys implements Keys {
  private readonly knex: Knex

  constructor(private readonly dependencies: KeysDependencies) {
    this.knex = dependencies.database.knex
  }

  async page({ userId }: Owner, search: Paging & Partial<TokenSearch>) {
    const { p, page_size } = search
    const { results, total } = await owned(this.knex, userId)
      .where((where) => filter(where, search))
      .where((where) => inState(where, search.status, new Date(this.dependencies.clock.now())))
      .orderBy('id', 'desc')
      .page(Math.max(p, 1) - 1, page_size)
    return { rows: results, total }
  }

  async get({ userId }: Owner, id: number, from: Knex = this.knex): Promise<TokenRow> {
    return (await owned(from, userId).where({ id }).first()) ?? missing()
  }

  async create(owner: Owner, form: TokenForm) {
    const { userId } = owner
    const routes = firstRouting(form, this.termsOf(owner))
    const { key, hash, tail } = this.dependencies.identity.newKey()
    const row = await this.write(async (trx) => {
      await this.mustHaveRoom(trx, userId)
      const own = { ...plainColumns(form), ...budgetColumns(form) }
      const fields = { ...own, ...routes, limit_quota: firstLimit(form) }
      const made = await TokenRow.query(trx)
        .insert({ ...fields, user_id: userId, key_hash: hash, key_sealed: '', key_tail: tail })
        .returning('*')
      // The place of the seal holds the id, which is known only now.
      const key_sealed = this.dependencies.secrets.seal(place(made.id), key)
      await TokenRow.query(trx).findById(made.id).patch({ key_sealed })
      await this.dependencies.changes.note(trx, 'tokens', made.id)
      return made
    })
    return { row, key: `sk-${key}` }
  }

  /** Waits for others who make a key for this user, so that together they do not exceed the number either. */
  private async mustHaveRoom(trx: Knex.Transaction, userId: number): Promise<void> {
    await trx('users').where({ id: userId }).forNoKeyUpdate().first('id')
    const most = this.dependencies.tokensMax()
    if ((await owned(trx, userId).resultSize()) < most) return
    throw new Refusal('conflict', { reason: `A user has at most ${most} API keys.` })
  }

  update(owner: Owner, form: TokenChanges): Promise<TokenRow> {
    const { userId } = owner
    return this.write(async (trx) => {
      const before = await owned(trx, userId).where({ id: form.id }).forNoKeyUpdate().first()
      if (before === undefined) return missing()
      const patch = {
        ...plainColumns(form),
        ...changedRouting(form, before, this.termsOf(owner)),
        ...limitColumns(form),
        ...budgetColumns(form, before),
        ...statusColumns(form),
      }
      if (Object.keys(patch).length === 0) return before
      await owned(trx, userId).where({ id: form.id }).patch(patch)
      const after = await this.get(owner, form.id, trx)
      const switchedOn =
        form.status === states.on && shownState(before, this.dependencies.clock.now()) !== states.on
      if (switchedOn) mustBeUsable(after, this.dependencies.clock.now())
      await this.dependencies.changes.note(trx, 'tokens', form.id)
      return after
    })
  }

  async replace(owner: Owner, id: number) {
    const { key, hash, tail } = this.dependencies.identity.newKey()
    const key_sealed = this.dependencies.secrets.seal(place(id), key)
    const row = await this.write(async (trx) => {
      const patch = { key_hash: hash, key_sealed, key_tail: tail }
      const replaced = await owned(trx, owner.userId).where({ id }).patch(patch).returning('*')
      await this.dependencies.changes.note(trx, 'tokens', id)
      return replaced[0] ?? missing()
    })
    return { row, key: `sk-${key}` }
  }

  async remove(owner: Owner, id: number): Promise<void> {
    if ((await this.removeAll(owner, [id])) === 0) missing()
  }

  removeAll({ userId }: Owner, ids: readonly number[]): Promise<number> {
    return this.write(async (trx) => {
      const gone = { status: states.off, deleted_at: raw('now()') }
      // Locked in the order in which billing locks them.
      const rows = await owned(trx, userId)
        .whereIn('id', [...ids])
        .select('id')
        .orderBy('id')
        .forNoKeyUpdate()
      const mine = rows.map(({ id }) => id)
      await TokenRow.query(trx).whereIn('id', mine).patch(gone)
      if (mine.length > 0) await this.dependencies.changes.note(trx, 'tokens', mine)
      return mine.length
    })
  }

  async reveal({ userId }: Owner, ids: readonly number[]) {
    const rows = await owned(this.knex, userId).whereIn('id', [...ids])
    return new Map(
      rows.map(({ id, key_sealed }) => [
        id,
        `sk-${this.dependencies.secrets.open(place(id), key_sealed)}`,
      ]),
    )
  }

  async spent(rows: readonly TokenRow[]): Promise<ReadonlyMap<number, BudgetSpent>> {
    const ids = rows.filter((row) => row.budget_quota !== null).map(({ id }) => id)
    return ids.length === 0 ? new Map() : budgetsSpent(this.knex, ids)
  }

  async usage(owner: Owner, id: number, days: number): Promise<KeySpending> {
    await this.get(owner, id)
    const { clock, usage } = this.dependencies
    const today = Math.floor(clock.now() / 1000 / daySeconds) * daySeconds
    return usage.keySpending({ id, userId: owner.userId }, today - (days - 1) * daySeconds)
  }

  private termsOf(owner: Owner): { readonly routing: Routing; readonly member: Member } {
    return { routing: this.dependencies.routing, member: owner }
  }

  private async write<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    const done = await this.knex.transaction(work)
    await this.dependencies.changes.settled()
    return done
  }
}

/** Switching on what would be refused at once is refused here. */
export function mustBeUsable(row: TokenRow, now: number): void {
  const state = shownState(row, now)
  if (state === states.on) return
  const reason =
    state === states.expired
      ? 'The API key has expired; give it a later time first.'
      : 'The API key has no quota left; give it some first.'
  throw new Refusal('invalid_field', { reason, param: 'status' })
}

/** By a part of its name, or its number. A key is looked for by its hash, or by the part of it that is kept in clear; masked, as lists show it, too. */
export function filter(where: QueryBuilder<TokenRow>, search: Partial<TokenSearch>): void {
  const { keyword = '', token = '' } = search
  if (keyword !== '') {
    const id = /^#?\d{1,9}$/.test(keyword) ? Number(keyword.replace('#', '')) : undefined
    where.where((either) => {
      either.where('name', 'ilike', containing(keyword))
      if (id !== undefined) either.orWhere('id', id)
    })
  }
  if (token === '') return
  const key = token.replace(/^(?:sk-)?\**/, '')
  if (key.length === tailLength) where.where('key_tail', key)
  else where.where('key_hash', Buffer.from(hash('sha256', key), 'hex'))
}

/** The same order as `shownState`: what is switched off is off, whatever else is true of it. */
export function inState(
  where: QueryBuilder<TokenRow>,
  status: number | undefined,
  now: Date,
): void {
  if (status === undefined) return
  if (status === states.off) {
    where.where('status', states.off)
    return
  }
  where.where('status', states.on)
  if (status === states.expired) {
    where.where('expires_at', '<=', now)
    return
  }
  where.where((open) => open.whereNull('expires_at').orWhere('expires_at', '>', now))
  const spent = raw('(limit_quota IS NOT NULL AND limit_quota - used - held <= 0)')
  if (status === states.exhausted) where.where(spent)
  else where.whereNot(spent)
}

const tailLength = 4
const daySeconds = 86_400

function owned(from: Knex, userId: number) {
  return TokenRow.query(from).where({ user_id: userId }).whereNull('deleted_at')
}

function place(id: number): string {
  return `tokens:${id}:key`
}

export function missing(): never {
  throw new Refusal('gone_missing', { what: 'API key', param: 'id' })
}
