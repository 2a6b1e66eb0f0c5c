/** What a user sets: checked field by field, written with the user locked, so that no charge is under way by other settings. */
import type { Knex } from 'knex'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Mandate, Payments } from '../payments/index.js'
import type { AutoTopupChange } from './auto-topup.js'
import { rowsOf } from './rows.js'

export interface SettingsDependencies {
  readonly database: Pick<Database, 'knex'>
  readonly payments: Pick<Payments, 'gateways' | 'mandates' | 'endMandates' | 'price'>
  readonly offered: () => boolean
  readonly capMax: () => number
  /** Unix milliseconds. */
  readonly now: () => number
}

/**
 * Rejects with a `Refusal` that names the field. Switching off is refused by nothing that changed since it was switched on:
 * neither by a lower greatest limit, nor since nothing is left to be charged by.
 */
export function changed(
  change: AutoTopupChange,
  dependencies: SettingsDependencies,
): Promise<void> {
  const { payments, now } = dependencies
  const { userId, isOn, below, amount, monthlyCap } = change
  refuseCap(change, dependencies.capMax())
  return locked(userId, dependencies, async (trx) => {
    const known = await rowsOf(trx).where('user_id', userId).forUpdate().first()
    const wanted = change.gateway ?? known?.gateway
    const mandate = mandateOf(await payments.mandates(userId, trx), wanted)
    if (isOn) refuseUnusable(change, mandate, dependencies)
    const gateway = mandate?.gateway ?? known?.gateway
    if (gateway === undefined) return
    const begins = isOn && !(known?.is_on && known.gateway === gateway)
    const row = {
      ...{ user_id: userId, is_on: isOn, gateway, below, amount },
      ...{ monthly_cap: monthlyCap, updated_at: new Date(now()) },
    }
    const mandate_id = mandate?.id ?? known?.mandate_id
    const anew = { mandate_id, failures: 0, refusal: '', paused_until: null }
    if (known === undefined) await rowsOf(trx).insert({ ...row, ...anew })
    else {
      await rowsOf(trx)
        .where('user_id', userId)
        .update(begins ? { ...row, ...anew } : row)
    }
  })
}

export function removed(userId: number, dependencies: SettingsDependencies): Promise<void> {
  return locked(userId, dependencies, async (trx) => {
    await rowsOf(trx).where('user_id', userId).delete()
    await dependencies.payments.endMandates(userId, trx)
  })
}

/** Charges lock the user first as well. */
function locked(
  userId: number,
  { database }: SettingsDependencies,
  run: (trx: Knex.Transaction) => Promise<void>,
): Promise<void> {
  return database.knex.transaction(async (trx) => {
    await trx('users').where('id', userId).forNoKeyUpdate().first('id')
    await run(trx)
  })
}

function refuseCap({ isOn, amount, monthlyCap }: AutoTopupChange, capMax: number): void {
  if (monthlyCap < amount) {
    throw invalid('monthly_cap', 'The limit of a month is less than one payment.')
  }
  if (isOn && monthlyCap > capMax) {
    throw invalid('monthly_cap', `The greatest limit of a month is ${capMax}.`)
  }
}

function mandateOf(mandates: readonly Mandate[], wanted: string | undefined): Mandate | undefined {
  return wanted === undefined ? mandates[0] : mandates.find(({ gateway }) => gateway === wanted)
}

function refuseUnusable(
  { group, amount }: AutoTopupChange,
  mandate: Mandate | undefined,
  { payments, offered }: SettingsDependencies,
): void {
  if (mandate === undefined) {
    const reason =
      'Nothing can be charged yet. Buy credit once, and agree to automatic payments when you do.'
    throw invalid('gateway', reason)
  }
  if (!offered()) throw invalid('enabled', 'Automatic top-up is not offered here.')
  const { gateway, title, isTest } = mandate
  const loaded = payments.gateways().find(({ name }) => name === gateway)
  if (loaded?.keepsMandate !== true || loaded.offer.isTest !== isTest) {
    throw invalid('gateway', `${title} cannot take payments while you are away any more.`)
  }
  payments.price({ gateway, group, amount })
}

function invalid(param: string, reason: string): Refusal {
  return new Refusal('invalid_field', { reason, param })
}
