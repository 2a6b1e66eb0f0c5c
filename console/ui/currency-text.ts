/** Real money for people: decimals in a currency, as the gateway sends them, to the last digit. */
import { locale } from '../shell/i18n.js'

const formats = new Map<string, Intl.NumberFormat>()

/** `€70.00`, `¥1,050`, `KWD 1.050`. @param amount a decimal, as `70.00` @param currency ISO 4217 */
export function currencyText(amount: string, currency: string): string {
  const digits = /\.(\d+)$/.exec(amount)?.[1]?.length ?? 0
  const key = `${locale.value} ${currency} ${digits}`
  const format = formats.get(key) ?? formatOf(currency, digits)
  if (format === undefined) return `${amount} ${currency}`
  formats.set(key, format)
  // `Intl` formats text without losing a digit (ECMA-402, 2023).
  return format.format(amount as unknown as number)
}

/** Undefined: the browser takes no such code. */
function formatOf(currency: string, digits: number): Intl.NumberFormat | undefined {
  try {
    return new Intl.NumberFormat(locale.value, {
      ...{ style: 'currency', currency },
      ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
    })
  } catch {
    return undefined
  }
}
