/** The API key a new user starts with: no cap of its own, in its owner's group, sealed as every other. */
import type { Knex } from 'knex'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import type { Identity } from '../identity/index.js'

export interface FirstTokenDependencies {
  readonly identity: Pick<Identity, 'newKey'>
  readonly secrets: SecretBox
  readonly changes: Changes
}

export async function firstToken(
  userId: number,
  { identity, secrets, changes }: FirstTokenDependencies,
  trx: Knex.Transaction,
): Promise<void> {
  const { key, hash, tail } = identity.newKey()
  const [row] = await trx('tokens')
    .insert({ user_id: userId, name: 'First key', key_hash: hash, key_sealed: '', key_tail: tail })
    .returning('id')
  // The place of the seal holds the id, which is known only now.
  const sealed = secrets.seal(`tokens:${row.id}:key`, key)
  await trx('tokens').where({ id: row.id }).update({ key_sealed: sealed })
  await changes.note(trx, 'tokens', row.id)
}
