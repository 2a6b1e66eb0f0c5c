/**
 * Everything people join by, over a database of its own: registration, mail codes and proofs are real; mails are caught
 * on their way, and options are what the test states.
 */

import type { Knex } from 'knex'
import type { Test as TapTest } from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Life } from '../../../kernel/contract/kit.js'
import type { Principal } from '../../../kernel/contract/management.js'
import type { Schedule } from '../../../kernel/contract/services/schedule.js'
import {
  createMailCodes,
  type MailCodes,
} from '../../../plugins/management/registration/mail-codes/index.js'
import type { Factors } from '../../../plugins/services/factors/index.js'
import type { NewNotice, Notifications } from '../../../plugins/services/notifications/index.js'
import createOneTime, { type OneTime } from '../../../plugins/services/one-time/index.js'
import type { Option, Options } from '../../../plugins/services/options/index.js'
import createRegistration, {
  type Registration,
} from '../../../plugins/services/registration/index.js'
import type { Subscriptions } from '../../../plugins/services/subscriptions/index.js'
import createVerification, {
  type Scope,
  type Verification,
} from '../../../plugins/services/verification/index.js'
import {
  type ManagementFixture,
  managementFixture,
  settingsOf,
} from '../management/management-fixture.js'

interface Mail {
  readonly address: string
  readonly notice: NewNotice
}

export interface JoiningFixture extends ManagementFixture {
  readonly registration: Registration
  readonly mailCodes: MailCodes & Life
  readonly schedule: Schedule
  readonly 'one-time': OneTime & Life
  readonly verification: Verification
  readonly factors: Factors
  readonly notifications: Notifications
  readonly options: Options
  /** Of registration; an edit shows at the next read. */
  readonly terms: Record<string, JsonObject[string]>
  /** Checks of options, by key. */
  readonly checks: ReadonlyMap<string, (text: string) => void>
  /** What `options.list` tells. */
  readonly stored: Record<string, string>
  /** Caught on their way, oldest first. */
  readonly mails: Mail[]
  readonly mailServer: { ready: boolean }
  /** Signs somebody in and gives the headers of a request with a proof. */
  proven(person: Principal, scope: Scope): Promise<Proven>
}

interface Proven {
  readonly principal: Principal
  readonly headers: Readonly<Record<string, string>>
}

const idle = () => ({ stop() {}, async now() {} })
const schedule: Schedule = { every: idle, everyLeased: idle }

/** As the manifest declares them, but for the quotas, which are distinguished. */
export const defaultTerms = {
  open: true,
  byPassword: true,
  verifiesEmail: false,
  restrictsDomains: false,
  refusesAliases: false,
  domains: 'example.com,example.org',
  quotaForNewUser: 0,
  quotaForInviter: 0,
  quotaForInvitee: 0,
  firstToken: false,
} as const

export async function joiningFixture(t: Pick<TapTest, 'teardown'>): Promise<JoiningFixture> {
  const ground = await managementFixture(t)
  const { clock, log } = ground
  const terms: Record<string, JsonObject[string]> = { ...defaultTerms }
  const stored: Record<string, string> = {
    SystemName: 'Test gate',
    ServerAddress: 'https://gate.example/',
  }
  const mails: Mail[] = []
  const mailServer = { ready: true }
  const checks = new Map<string, (text: string) => void>()
  const options = optionsOf(stored, checks)
  const notifications = {
    mail: async (address: string, notice: NewNotice) => void mails.push({ address, notice }),
    mailReady: () => mailServer.ready,
  } as unknown as Notifications
  const subscriptions = { welcome: async () => {} } as unknown as Subscriptions
  const services = { ...ground, schedule, options, notifications, factors, subscriptions }
  const life = { settings: settingsOf({}), clock, log }
  const oneTime = createOneTime({ ...life, services })
  const verification = createVerification({
    ...life,
    services: { ...services, 'one-time': oneTime },
  })
  const registration = createRegistration({ ...life, settings: settingsOf(terms), services })
  const mailCodes = createMailCodes({ ...life, services })

  async function proven(person: Principal, scope: Scope): Promise<Proven> {
    const { principal } = await ground.identity.openSession({
      userId: person.userId,
      method: 'password',
      address: '203.0.113.9',
      userAgent: '',
      secure: false,
    })
    const { token } = await verification.grant(principal, scope)
    return { principal, headers: { 'x-verification-token': token } }
  }

  return {
    ...services,
    registration,
    mailCodes,
    'one-time': oneTime,
    verification,
    terms,
    checks,
    stored,
    mails,
    mailServer,
    proven,
  }
}

/** Only what the end of an account and an admin's help need. */
const factors = {
  async remove(userId: number, which: 'totp' | 'passkeys' | 'all', trx: Knex.Transaction) {
    for (const table of ['totp', 'passkeys']) {
      if (which === 'all' || which === table) await trx(table).where('user_id', userId).delete()
    }
  },
} as unknown as Factors

function optionsOf(
  stored: Readonly<Record<string, string>>,
  checks: Map<string, (text: string) => void>,
): Options {
  return {
    of: () => settingsOf({}),
    list: () =>
      Object.entries(stored).map(
        ([key, value]): Option => ({
          key,
          value,
          field: { name: key, type: 'string', title: key },
          plugin: 'p',
          isSet: true,
        }),
      ),
    put: async () => {},
    change: async () => {},
    check: (key, check) => void checks.set(key, check),
    seed: async () => {},
    reset: async () => {},
  }
}

/** What a refusal states of itself, or `done`. */
export async function verdict(doing: Promise<unknown>): Promise<unknown> {
  try {
    await doing
    return 'done'
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

/** How often each answer came. */
export function tally(answers: readonly unknown[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const answer of answers) counts[String(answer)] = (counts[String(answer)] ?? 0) + 1
  return counts
}
