/** Identity: who stands behind an API key, a session or a password. */
import type { Kit, Life } from '../../../kernel/contract/kit.js'
import { enroll } from './enroll.js'
import type { Identity } from './identity.js'
import { keyOf, newKey } from './key-text.js'
import { keyCache } from './keys.js'
import { passwordQueue } from './passwords.js'
import { sessionStore } from './sessions.js'

export type * from './identity.js'

export default function create({
  services,
  clock,
  log,
}: Kit<'database' | 'changes' | 'system' | 'ledger'>): Identity & Life {
  const { database, changes, system, ledger } = services
  const keys = keyCache(database, clock)
  const passwords = passwordQueue()
  const sessions = sessionStore({
    database,
    clock,
    log,
    passwords,
    alwaysSecure: system.environment.cookieSecure === true,
  })
  changes.on('tokens', keys.dropTokens)
  changes.on('users', keys.dropUsers)

  return {
    byKey: (key, address) => keys.find(keyOf(key), address),
    principal: sessions.principal,
    signIn: sessions.signIn,
    signOut: sessions.signOut,
    cutSessions: sessions.cut,
    clearedCookie: sessions.clearedCookie,
    hash: passwords.hash,
    enroll: (person, trx) => enroll(person, trx, { ledger, changes }),
    newKey,
    start: passwords.prepare,
  }
}
