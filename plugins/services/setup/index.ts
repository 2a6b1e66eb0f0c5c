/**
 * The first start: one root user, made once. Until then the gateway belongs to whoever can show the code it printed:
 * that a request comes from this machine proves nothing, since a proxy on it looks the same (decision 55).
 */
import { hash, timingSafeEqual } from 'node:crypto'
import type { Knex } from 'knex'
import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Posting } from '../ledger/index.js'
import type { Setup } from './setup.js'

export type * from './setup.js'

/** Letters and digits that no one mistakes for another. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789'
const codeLength = 12

export default function create({
  services,
  log,
}: Kit<'database' | 'changes' | 'secrets' | 'identity' | 'ledger'>): Setup & Life {
  const { database, changes, secrets, identity, ledger } = services
  /** Derived, not drawn: every process and every restart prints the same one. */
  const code = codeFrom(secrets.derive('setup code'))
  let done = false

  async function look(): Promise<void> {
    if (!done) done = await rootExists(database.knex)
  }

  changes.on('users', look)

  return {
    done: () => done,
    code: () => (done ? undefined : code),
    isCode: (text) => timingSafeEqual(digest(text.trim().toUpperCase()), digest(code)),
    async start() {
      await look()
      if (!done) log.info({}, `not set up yet; setup needs the code ${code}`)
    },
    async complete({ username, password, balance }) {
      if (done) throw new Refusal('setup_done')
      const passwordHash = await identity.hash(password, [username])
      await database.knex.transaction(async (trx) => {
        await trx.raw("SELECT pg_advisory_xact_lock(hashtext('waybill setup'))")
        if (await rootExists(trx)) throw new Refusal('setup_done')
        const root = { username, displayName: username, passwordHash, role: 100, group: 'default' }
        const userId = await identity.enroll(root, trx)
        if (balance > 0) await ledger.post(firstBalance(userId, balance), trx)
      })
      await changes.settled()
      done = true
    },
  }
}

function firstBalance(userId: number, balance: number): Posting {
  return {
    ...{ key: 'setup', kind: 'admin', userId, amount: BigInt(balance) },
    ...{ requestId: 'setup', note: 'First balance of root' },
  }
}

async function rootExists(knex: Knex): Promise<boolean> {
  const root = await knex('users').select('id').where('role', 100).whereNull('deleted_at').first()
  return root !== undefined
}

/** As `ABCD-EFGH-JKMN`: 60 bits. */
function codeFrom(bytes: Buffer): string {
  const letters = [...bytes.subarray(0, codeLength)].map((byte) => alphabet[byte % alphabet.length])
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-')
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
