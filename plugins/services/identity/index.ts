/** Identity: who stands behind an API key, a session or a password. */

import type { Life } from '../../../kernel/contract/kit.js'
import type { Principal } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { accessTokenUses } from './access-token-uses.js'
import { accessTokens } from './access-tokens.js'
import { accounts } from './accounts.js'
import { adminFactor } from './admin-factor.js'
import { claimName, fillSkeletons } from './claim-name.js'
import { enroll } from './enroll.js'
import type { Identified, Identity } from './identity.js'
import { keyIn, newKey } from './key-text.js'
import { keyCache } from './keys.js'
import { lastUse } from './last-use.js'
import { requireStrong } from './password-strength.js'
import { passwordQueue } from './passwords.js'
import { sessionStore } from './sessions.js'
import { userRecords } from './user-records.js'
import { users } from './users.js'

export type * from './identity.js'

const sweepMs = 600_000

export default function create({
  services,
  settings,
  clock,
  log,
}: Kit<
  'database' | 'changes' | 'system' | 'ledger' | 'schedule' | 'rate-limits' | 'options'
>): Identity & Life {
  const { database, changes, system, ledger, schedule, options } = services
  const { guess } = services['rate-limits']
  const keys = keyCache(database, clock, guess)
  const uses = lastUse({ database, schedule, clock })
  const passwords = passwordQueue()
  const alwaysSecure = system.environment.cookieSecure === true
  const sessions = sessionStore({ database, clock, log, settings, alwaysSecure })
  const mustSetUpFactor = adminFactor({ knex: database.knex, settings, options })
  const tokenUses = accessTokenUses({ database, schedule, clock })
  const scripts = accessTokens({ database, clock, settings, used: tokenUses.note })
  let sweeping: { stop(): void } | undefined
  changes.on('tokens', keys.dropTokens)
  changes.on('users', keys.dropUsers)

  /** A password made of the site's own name is the first that is tried. */
  function siteName(): string {
    return options.list().find(({ key }) => key === 'SystemName')?.value ?? ''
  }

  function used(found: Identified): Identified {
    uses.note(found.token.id)
    return found
  }

  return {
    byKey(key, address) {
      const text = keyIn(key)
      // What is no key at all is counted like one that nobody has.
      if (text === undefined) return guess<Identified>(address, nothing).then(refused)
      const found = keys.find(text, address)
      return found instanceof Promise ? found.then(used) : used(found)
    },
    refusalOf: keys.refusalOf,
    async principal({ headers, secure = false, address, unused = false, beforeFactor = false }) {
      const token = scripts.shownBy(headers)
      const found = await (token === undefined
        ? sessions.principal(headers, secure, unused)
        : scripts.principal(token, address))
      if (found === undefined || namesOther(headers, found)) return undefined
      if (!beforeFactor && (await mustSetUpFactor(found))) {
        throw new Refusal('second_factor_missing')
      }
      return found
    },
    mustSetUpFactor,
    ...accounts(database.knex, passwords),
    openSession: sessions.open,
    renewSession: sessions.renew,
    sessions: sessions.list,
    endSession: sessions.end,
    signOut: sessions.signOut,
    cutSessions: sessions.cut,
    accessTokens: scripts,
    clearedCookie: sessions.clearedCookie,
    farewellHeaders: (secure) => ({
      'set-cookie': sessions.clearedCookie(secure),
      // Of cookies only the session's goes: the device cookie keeps a browser known, and others may stand beside.
      'clear-site-data': '"cache", "storage"',
    }),
    judge: (password, context) => requireStrong(password, [...context, siteName()]),
    async hash(password, context = []) {
      await requireStrong(password, [...context, siteName()])
      return passwords.hash(password)
    },
    claimName,
    users: users({
      ledger,
      changes,
      clock,
      cutSessions: sessions.cut,
      endAccessTokens: scripts.endAll,
    }),
    enroll: (person, trx) => enroll(person, trx, { ledger, changes }),
    newKey,
    records: userRecords({ knex: database.knex, ledger }),
    async start() {
      uses.start()
      tokenUses.start()
      sweeping = schedule.everyLeased('identity.sessions', sweepMs, sessions.sweep)
      await fillSkeletons(database.knex)
      await passwords.prepare()
    },
    async stop() {
      sweeping?.stop()
      await uses.stop()
      await tokenUses.stop()
    },
  }
}

async function nothing(): Promise<undefined> {}

function refused(): never {
  throw new Refusal('invalid_api_key')
}

/** The family's clients send a user id beside their credential; one that differs is refused. */
function namesOther(
  { 'new-api-user': named }: Readonly<Record<string, string | string[] | undefined>>,
  { userId }: Principal,
): boolean {
  return named !== undefined && String(named).trim() !== String(userId)
}
