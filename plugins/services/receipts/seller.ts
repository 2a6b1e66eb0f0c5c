/** Who sells, as the options state it now. */
import type { Settings } from '../../../kernel/contract/kit.js'
import { enabledOption, sellerOption } from './option-rules.js'
import type { Seller } from './receipts.js'

export function sellerOf(settings: Settings): Seller {
  return {
    name: settings.string('sellerName').trim(),
    address: settings.string('sellerAddress').trim(),
    taxId: settings.string('sellerTaxId').trim(),
    contact: settings.string('sellerContact').trim(),
    note: settings.string('note').trim(),
  }
}

/** Undefined: receipts are issued. */
export function reasonOff(settings: Settings): string | undefined {
  if (!settings.boolean('enabled')) {
    return `Receipts are switched off: the option ${enabledOption} is off.`
  }
  if (settings.string('sellerName').trim() !== '') return undefined
  return `Receipts are off until the name of the seller is set, in the option ${sellerOption}.`
}
