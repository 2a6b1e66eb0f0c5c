/**
 * Where in the table the keyed chain begins, written down once and sealed: without it a row with a plain hash could be put
 * in the place of a keyed one.
 */
import type { Knex } from 'knex'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'

export interface KeyedSince {
  /** Id of the last row with a plain hash; undefined: no row is keyed yet. Throws `SealBroken`. */
  read(knex: Knex): Promise<number | undefined>
  /** Keyed from the next row on. Within the lock of the writer. */
  write(trx: Knex.Transaction, lastPlain: number): Promise<void>
}

const name = 'audit chain'
/** As every sealed fact is bound to its place. */
const place = `facts:${name}:value`

export function keyedSince(secrets: Pick<SecretBox, 'seal' | 'openText'>): KeyedSince {
  return {
    async read(knex) {
      const row = await knex('facts').where({ name }).first('value')
      return row === undefined ? undefined : Number(secrets.openText(place, row.value))
    },
    async write(trx, lastPlain) {
      await trx('facts').insert({ name, value: secrets.seal(place, String(lastPlain)) })
    },
  }
}
