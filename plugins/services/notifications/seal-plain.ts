/**
 * Fields of notifiers that became secrets when values of theirs already stood among a user's open settings: moved where
 * secrets stand, sealed. A process of the version before may write one meanwhile, so it is looked for again.
 */
import type { Knex } from 'knex'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Extensions } from '../../../kernel/contract/services/extensions.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import { secretFieldsOf, secretPlace } from './people.js'

export interface SealDependencies {
  readonly knex: Knex
  readonly secrets: SecretBox
  readonly extensions: Extensions
}

interface Row {
  readonly setting: JsonObject
  readonly secrets: Readonly<Record<string, string>>
}

const rowsAtOnce = 500

export function createSealing({ knex, secrets, extensions }: SealDependencies) {
  async function move(id: number, name: string): Promise<void> {
    await knex.transaction(async (trx) => {
      const row = await trx('users')
        .select<Row>('setting', 'secrets')
        .where({ id })
        .forNoKeyUpdate()
        .first()
      if (row === undefined) return
      const { [name]: plain, ...setting } = row.setting
      const sealed = row.secrets[name]
      const isNew = sealed === undefined && typeof plain === 'string' && plain !== ''
      const kept = isNew ? secrets.seal(secretPlace(id, name), plain) : sealed
      const all = kept === undefined ? row.secrets : { ...row.secrets, [name]: kept }
      await trx('users').where({ id }).update({ setting, secrets: all })
    })
  }

  return async function sealPlain(): Promise<void> {
    for (const { name } of secretFieldsOf(extensions)) {
      let ids: readonly number[]
      do {
        ids = await knex('users')
          .whereRaw('jsonb_exists(setting, ?)', [name])
          .limit(rowsAtOnce)
          .pluck('id')
        for (const id of ids) await move(id, name)
      } while (ids.length > 0)
    }
  }
}
