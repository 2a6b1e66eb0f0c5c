/** What cannot stand on a receipt is not stored as an option. */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Options } from '../options/index.js'
import { bounds, linesOf, oneLineOf } from './bounds.js'

export const enabledOption = 'payment_setting.receipt_enabled'
export const sellerOption = 'payment_setting.receipt_seller_name'
const prefixOption = 'payment_setting.receipt_prefix'

export function ruleOptions(options: Pick<Options, 'check'>): void {
  const oneLine = (key: string, charactersMax: number) =>
    options.check(key, (text) => void oneLineOf(key, text, charactersMax))
  const lines = (key: string, most: typeof bounds.address | typeof bounds.note) =>
    options.check(key, (text) => void linesOf(key, text, most))
  oneLine(sellerOption, bounds.name)
  lines('payment_setting.receipt_seller_address', bounds.address)
  oneLine('payment_setting.receipt_seller_tax_id', bounds.taxId)
  oneLine('payment_setting.receipt_seller_contact', bounds.contact)
  oneLine('payment_setting.receipt_tax_note', bounds.sentence)
  lines('payment_setting.receipt_note', bounds.note)
  options.check(prefixOption, (text) => {
    if (prefixShape.test(text)) return
    const reason = `${prefixOption} takes up to 16 letters, digits and dashes. It cannot end in a digit, which would read as one of the number, nor begin with TEST.`
    throw new Refusal('invalid_field', { reason, param: prefixOption })
  })
}

/** Receipts of tests begin with TEST, so no other may. */
const prefixShape = /^(?!test)(?:[a-z0-9-]{0,15}[a-z-])?$/i
