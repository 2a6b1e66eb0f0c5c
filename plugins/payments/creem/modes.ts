/** Whether real money moved. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { PaymentNotice } from '../../../kernel/contract/payment.js'

const testModes: readonly unknown[] = ['test', 'sandbox', 'local']

export function modeOf({ mode }: JsonObject): Pick<PaymentNotice, 'isTest'> {
  if (mode === 'prod') return { isTest: false }
  return testModes.includes(mode) ? { isTest: true } : {}
}
