/**
 * Quota for people: exact to the unit, in the currency the operator shows. One US dollar is `quota_per_unit` units;
 * amounts come as numbers, or as text where they are larger than a number is exact.
 */
import { computed } from 'vue'
import type { SiteStatus } from '../api/site.js'
import { locale } from '../shell/i18n.js'
import { useSite } from '../shell/site.js'
import { over, plainText, wholeNumber } from './decimal.js'

export type Quota = number | string | bigint

/** Decimal places that show every unit: 1 / 500,000 = 0.000002. */
const exactDigits = 6

export interface Currency {
  readonly symbol: string
  /** Of one US dollar. */
  readonly rate: number
  /** Amounts are shown as units. */
  readonly inUnits: boolean
}

function currencyOf(status: SiteStatus | undefined): Currency {
  const kind = status?.display_in_currency === false ? 'TOKENS' : status?.quota_display_type
  if (kind === 'TOKENS') return { symbol: '', rate: 1, inUnits: true }
  if (kind === 'CNY') return { symbol: '¥', rate: status?.usd_exchange_rate ?? 1, inUnits: false }
  if (kind === 'CUSTOM') {
    const rate = status?.custom_currency_exchange_rate ?? 1
    return { symbol: status?.custom_currency_symbol ?? '¤', rate, inUnits: false }
  }
  return { symbol: '$', rate: 1, inUnits: false }
}

/** `$1.25`, `$0.000002`, `1,250,000`. At least two places, more only where they are needed. */
function moneyText(
  quota: Quota,
  currency: Currency,
  perUnit = 500_000,
  tag = 'en',
  digits = exactDigits,
  least = 2,
): string {
  const units = BigInt(typeof quota === 'number' ? Math.round(quota) : quota)
  if (currency.inUnits) return formatOf(tag, 0, 0).format(units)
  const sign = units < 0n ? '-' : ''
  const format = formatOf(tag, least, digits)
  const size = units < 0n ? -units : units
  const amount =
    currency.rate === 1
      ? format.format(exactText(size, perUnit) as unknown as number)
      : format.format((Number(size) / perUnit) * currency.rate)
  return `${sign}${currency.symbol}${amount}`
}

const formats = new Map<string, Intl.NumberFormat>()

/** Making one takes longer than many amounts take to be written. */
function formatOf(tag: string, least: number, most: number): Intl.NumberFormat {
  const key = `${tag} ${least} ${most}`
  const kept = formats.get(key)
  if (kept !== undefined) return kept
  const digits = { minimumFractionDigits: least, maximumFractionDigits: most }
  const made = new Intl.NumberFormat(tag, digits)
  formats.set(key, made)
  return made
}

/** Of a fraction, to the unit; `Intl` formats text without losing any (ECMA-402, 2023). */
function exactText(units: bigint, perUnit: number): string {
  return plainText(over(wholeNumber(units), wholeNumber(BigInt(perUnit)), exactDigits))
}

function fractionOf(text: string): string {
  return /\.(\d+)$/.exec(text)?.[1] ?? ''
}

/** Until the first digit that is not 0, where there is none before the point. */
function placesOfFirst(text: string): number {
  const [whole = ''] = text.split('.')
  return /[1-9]/.test(whole) ? 0 : fractionOf(text).search(/[1-9]/) + 1
}

export function useMoney() {
  const site = useSite()
  const currency = computed(() => currencyOf(site.status))
  const perUnit = computed(() => site.status?.quota_per_unit ?? 500_000)
  return {
    currency,
    perUnit,
    /** Exact. */
    money: (quota: Quota) => moneyText(quota, currency.value, perUnit.value, locale.value),
    /** To two places, where the rest does not matter: axes, tiles. Less than a cent is shown in full: it is not nothing. */
    about(quota: Quota): string {
      const amount = Math.abs((Number(quota) / perUnit.value) * currency.value.rate)
      const digits = amount < 0.01 ? exactDigits : 2
      return moneyText(quota, currency.value, perUnit.value, locale.value, digits)
    },
    /** With so many places, as all amounts of one column have. */
    moneyAt: (quota: Quota, places: number) =>
      moneyText(quota, currency.value, perUnit.value, locale.value, places, places),
    /**
     * Places with which each of these amounts is exact: as many as the longest needs. `isAbout`: with which none of them
     * looks like nothing. Two at least, six at most.
     */
    placesOf(quotas: readonly Quota[], isAbout = false): number {
      const places = quotas.map((quota) => {
        const text = moneyText(quota, currency.value, perUnit.value, locale.value)
        return isAbout ? placesOfFirst(text) : fractionOf(text).length
      })
      return Math.max(2, ...places)
    },
    /** Quota of an amount somebody typed in the shown currency; undefined: it is no amount. */
    quotaOf(amount: number): number | undefined {
      if (!Number.isFinite(amount)) return undefined
      const { inUnits, rate } = currency.value
      return Math.round(inUnits ? amount : (amount / rate) * perUnit.value)
    },
    amountOf: (quota: number) =>
      currency.value.inUnits ? quota : (quota / perUnit.value) * currency.value.rate,
  }
}
