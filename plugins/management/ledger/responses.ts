/** What the ledger area returns. */
import joi from 'joi'
import {
  pageOf,
  quotaUnits,
  responseForm,
  unixSeconds,
} from '../../../kernel/toolkit/management/index.js'
import type { checkRecord, entryRecord, holdRecord, overviewRecord } from './records.js'

type Check = ReturnType<typeof checkRecord>
type Entry = ReturnType<typeof entryRecord>
type Overview = ReturnType<typeof overviewRecord>

const text = joi.string().allow('')
const id = joi.number().integer().min(0)
const accountId = joi.number().integer().description('Below 0: an account of the gateway.')
const count = joi.number().integer().min(0)

const invariant = responseForm<Check['invariants'][number]>({
  id: joi.string(),
  name: joi.string(),
  rule: joi.string().description('What has to hold, in a sentence.'),
  breaches: joi.array().items(joi.string()).description('Empty: it holds.'),
  has_more: joi.boolean().description('There may be more breaches than are listed.'),
}).id('LedgerInvariant')

export const ledgerCheck = responseForm<Check>({
  at: unixSeconds,
  ms: joi.number().min(0).description('How long it took, milliseconds.'),
  scope: joi
    .string()
    .valid('whole', 'new')
    .description('`new`: what had been verified before was not verified again.'),
  verified: count.description('Requests that were verified.'),
  breaches: count.description('Of all invariants, as far as they are listed.'),
  invariants: joi.array().items(invariant),
}).id('LedgerCheck')

const openHold = responseForm<ReturnType<typeof holdRecord>>({
  request_id: joi.string(),
  kind: joi.string(),
  state: joi
    .string()
    .valid('reserved', 'orphaned')
    .description('`orphaned`: its process is gone; the next sweep closes it.'),
  user_id: id,
  username: text,
  token_id: id.description('0: none.'),
  token_name: text,
  model: text,
  group: text,
  channel: id.description('0: none.'),
  held: quotaUnits,
  used: quotaUnits.description('Quota units last noted while the reply was under way, exact.'),
  instance: joi.string().description('The process that owns it.'),
  created_at: unixSeconds,
  age_seconds: joi.number().description('By the clock of the database.'),
}).id('OpenHold')

export const holdPage = pageOf(openHold)

const entrySide = responseForm<Entry['debit']>({
  account_id: accountId,
  kind: text.description('Empty: there is no such account.'),
  user_id: id.description('0: the account is one of the gateway.'),
  name: text.description('Of the user, or of an account of the gateway.').example('revenue'),
}).id('LedgerEntrySide')

const ledgerEntry = responseForm<Entry>({
  id,
  created_at: unixSeconds,
  kind: joi.string().example('charge'),
  amount: quotaUnits,
  debit: entrySide,
  credit: entrySide,
  request_id: text,
  note: text,
}).id('LedgerEntry')

export const entryPage = pageOf(ledgerEntry)

const systemAccount = responseForm<Overview['system_accounts'][number]>({
  id: accountId,
  name: joi.string().example('revenue'),
  quota: quotaUnits.description('Quota units of credits less debits, exact.'),
})

const blockedAccount = responseForm<Overview['blocked'][number]>({
  account_id: accountId,
  user_id: id,
  username: text,
})

export const overview = responseForm<Overview>({
  accounts: count.description('Without those of the gateway.'),
  balance: quotaUnits.description('Quota units that can be spent: `posted` less `held`, exact.'),
  posted: quotaUnits,
  held: quotaUnits,
  debt: responseForm<Overview['debt']>({
    accounts: count.description('Accounts below 0.'),
    quota: quotaUnits,
  }),
  open_holds: count,
  // Null: no hold is open.
  oldest_hold: openHold.allow(null),
  system_accounts: joi.array().items(systemAccount).description('Accounts of the gateway.'),
  blocked_accounts: count,
  blocked: joi.array().items(blockedAccount).description('The first few.'),
  check: responseForm<Overview['check']>({
    running: joi.boolean(),
    // The last that was completed; null: none was.
    last: ledgerCheck.allow(null),
    failure: joi
      .object({ at: unixSeconds, reason: joi.string() })
      .allow(null)
      .description('Why the one after it was not completed. Null: it was, or there was none.'),
    whole_at: joi
      .number()
      .integer()
      .description('When the whole book was last found sound, Unix seconds. 0: never.'),
  }),
}).id('LedgerOverview')
