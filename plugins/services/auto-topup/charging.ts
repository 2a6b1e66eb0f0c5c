/** One run: whoever is below their bound is charged, a few at once, so that a slow provider holds up few. */
import type { Log } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Payments } from '../payments/index.js'
import { type AdmissionDependencies, admitted } from './admission.js'
import { type Due, due } from './due.js'

export interface ChargingDependencies extends Omit<AdmissionDependencies, 'payments'> {
  readonly database: Pick<Database, 'query'>
  readonly payments: Pick<Payments, 'gateways' | 'taken' | 'charge'>
  readonly log: Log
}

const atOnce = 8

export async function chargeDue(dependencies: ChargingDependencies): Promise<void> {
  const { database, payments, capMax, now } = dependencies
  const able = payments.gateways().filter(({ keepsMandate }) => keepsMandate)
  const named = (isTest: boolean) =>
    able.filter(({ offer }) => offer.isTest === isTest).map(({ name }) => name)
  const bounds = { now: now(), capMax: capMax(), live: named(false), test: named(true) }
  for await (const found of due(database, bounds)) {
    for (let at = 0; at < found.length; at += atOnce) {
      const some = found.slice(at, at + atOnce)
      await Promise.all(some.map((one) => charge(one, dependencies)))
    }
  }
}

/** Never rejects: others go on. */
async function charge(one: Due, dependencies: ChargingDependencies): Promise<void> {
  const { payments, log } = dependencies
  try {
    await payments.charge({
      ...one,
      admit: (order, trx) => admitted(one, order, dependencies, trx),
    })
  } catch (err) {
    const facts = { err, user: one.userId, gateway: one.gateway }
    // A price that does not allow it is shown to the user; it stays so until somebody changes it.
    if (err instanceof Refusal) log.debug(facts, 'a balance cannot be topped up automatically')
    else log.error(facts, 'a balance was not topped up automatically')
  }
}
