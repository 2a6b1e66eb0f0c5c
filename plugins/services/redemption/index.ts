/** Redemption codes: made in batches, kept sealed, redeemed once by each user. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { containing, namesLike } from '../../../kernel/toolkit/service/index.js'
import { redeemed } from './redeeming.js'
import type { CodeChanges, CodeQuery, NewBatch, Redemption, RedemptionCode } from './redemption.js'
import { codeOf, hashOf, inState, matching, placeOf, withLastUse } from './rows.js'

export type * from './redemption.js'

/** Codes that are counted, and that pages reach. */
const rowsMax = 10_000
const named = { table: 'redemption_codes', column: 'name' } as const

export default function create({
  services,
  clock,
}: Kit<'database' | 'secrets' | 'ledger' | 'changes'>): Redemption {
  const { secrets, ledger, changes, database } = services
  const { knex } = database
  const now = () => new Date(clock.now())
  const shown = (row: Parameters<typeof codeOf>[0]) => codeOf(row, secrets, now())

  function rowOf({ creatorId, name, quota, usesMax, expiresAt }: NewBatch, batch: string) {
    const code = randomBytes(16).toString('hex')
    const codeHash = hashOf(code)!
    return {
      ...{ batch, name, quota, creator_id: creatorId, uses_max: usesMax },
      ...{ code_hash: codeHash, code_sealed: secrets.seal(placeOf(codeHash), code) },
      ...{ created_at: now(), expires_at: expiresAt ?? null },
    }
  }

  async function one(id: number): Promise<RedemptionCode | undefined> {
    const [row] = await withLastUse(knex).where('c.id', id)
    return row && shown(row)
  }

  return {
    async create(made) {
      const batch = randomUUID()
      const rows = Array.from({ length: made.count }, () => rowOf(made, batch))
      await knex('redemption_codes').insert(rows)
      return (await withLastUse(knex).where('c.batch', batch).orderBy('c.id')).map(shown)
    },
    async list(query: CodeQuery) {
      const names = query.search
        ? await namesLike(knex, named, containing(query.search))
        : undefined
      const filtered = (builder: Knex.QueryBuilder) => {
        matching(builder, query, names)
        if (query.state !== undefined) inState(builder, query.state, now())
      }
      const [counted] = await knex
        .from(
          knex('redemption_codes as c')
            .modify(filtered)
            .select(knex.raw('1'))
            .orderBy('c.id', 'desc')
            .limit(rowsMax)
            .as('found'),
        )
        .count<{ total: bigint | number }[]>({ total: '*' })
      const total = Number(counted?.total ?? 0)
      if (query.offset >= total) return { items: [], total }
      const page = withLastUse(knex).modify(filtered).orderBy('c.id', 'desc')
      const rows = await page.offset(query.offset).limit(query.limit)
      return { items: rows.map(shown), total }
    },
    get: one,
    async change(id, { name, isOn, expiresAt }: CodeChanges) {
      const columns = {
        ...(name !== undefined && { name }),
        ...(isOn !== undefined && { is_on: isOn }),
        ...(expiresAt !== undefined && { expires_at: expiresAt }),
      }
      if (Object.keys(columns).length > 0) {
        await knex('redemption_codes').where({ id }).update(columns)
      }
      return one(id)
    },
    remove: (ids) =>
      knex('redemption_codes')
        .whereIn('id', [...ids])
        .delete(),
    removeInvalid: () =>
      knex('redemption_codes')
        .where('is_on', false)
        .orWhereRaw('uses >= uses_max')
        .orWhere('expires_at', '<=', now())
        .delete(),
    redeem: (request) => redeemed(request, { database, ledger, changes, now }),
  }
}
