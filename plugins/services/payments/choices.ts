/** What a page offers to choose from; entries of the options that are no numbers are left out. */
import { isObject, type Json } from '../../../kernel/contract/json.js'
import type { Settings } from '../../../kernel/contract/kit.js'
import type { Choices } from './payments.js'

export function choicesOf(settings: Settings): Choices {
  const { presets } = settings.all
  return {
    amount_options: Array.isArray(presets) ? presets.filter(isPositive) : [],
    discount: numbersOf(settings.all.discounts),
    bonus: numbersOf(settings.all.bonuses),
    amount_max: settings.number('amountMax'),
  }
}

function numbersOf(value: Json | undefined): Record<string, number> {
  if (!isObject(value)) return {}
  const entries = Object.entries(value).filter(([key, one]) => Number(key) > 0 && isPositive(one))
  return Object.fromEntries(entries) as Record<string, number>
}

function isPositive(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}
