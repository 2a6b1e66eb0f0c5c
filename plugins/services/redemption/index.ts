/** Redemption codes: made in batches, kept sealed, redeemed once by each user. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { redeemed } from './redeeming.js'
import type { CodeChanges, CodeQuery, NewBatch, Redemption, RedemptionCode } from './redemption.js'
import { codeOf, hashOf, inState, matching, placeOf, withLastUse } from './rows.js'

export type * from './redemption.js'

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
      const found = withLastUse(knex).modify((builder) => {
        matching(builder, query)
        if (query.state !== undefined) inState(builder, query.state, now())
      })
      const counted = found.clone().clearSelect().count<{ count: bigint | number }[]>('* as count')
      const [rows, [count]] = await Promise.all([
        found.clone().orderBy('c.id', 'desc').offset(query.offset).limit(query.limit),
        counted,
      ])
      return { items: rows.map(shown), total: Number(count?.count ?? 0) }
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
