/** Rewards of invitations as joining writes them, for tests of what comes after. */
import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'

/** A user was invited, and who invited them got this much for it. */
export async function earnReward(knex: Knex, inviterId: number, reward: number): Promise<void> {
  const invitee = { username: randomUUID().slice(0, 8), password_hash: '', inviter_id: inviterId }
  const [{ id }] = await knex('users').insert(invitee).returning('id')
  await knex('invitations').insert({ invitee_id: id, inviter_id: inviterId, reward })
  await knex('users')
    .where({ id: inviterId })
    .increment('aff_count', 1)
    .increment('aff_quota', reward)
    .increment('aff_history', reward)
}
