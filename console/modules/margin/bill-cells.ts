/** What a cell of an upstream's bill says. Undefined: it cannot be read. */

/** `2026-01-31`, `2026-01-31T00:00:00Z`, `2026/1/31` or Unix seconds. */
export function dayIn(text: string): string | undefined {
  const trimmed = text.trim()
  if (/^\d{10}(\.\d+)?$/.test(trimmed)) {
    return new Date(Number(trimmed) * 1000).toISOString().slice(0, 10)
  }
  const match = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(trimmed)
  if (match === null) return undefined
  const [, year = '', month = '', day = ''] = match
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = Date.parse(`${written}T00:00:00Z`)
  if (Number.isNaN(at)) return undefined
  return new Date(at).toISOString().startsWith(written) ? written : undefined
}

/** A comma separates thousands and nothing else: where it may be a decimal one, the amount is not guessed. */
const plain = /^(\d+|\d{1,3}(?:,\d{3})+)?(?:\.(\d*))?(?:[eE]([+-]?\d{1,2}))?$/

/** US dollars, rounded to the billionth part. Brackets, as accountants write them, are a minus. */
export function amountIn(text: string): bigint | undefined {
  const trimmed = text.replaceAll(/\s|usd|us\$/gi, '')
  const inner = /^\((.*)\)$/.exec(trimmed)?.[1]
  const [, before = '', after = '', figure = ''] =
    /^([-\u2212]?)\$?([-\u2212]?)(.*)$/.exec(inner ?? trimmed) ?? []
  const match = plain.exec(figure)
  if (match === null || !/^[\d.]/.test(figure) || !/\d/.test(figure.split(/e/i)[0]!))
    return undefined
  const signs = `${before}${after}`
  if (signs.length + Number(inner !== undefined) > 1) return undefined
  const size = sizeOf(match)
  return signs === '' && inner === undefined ? size : -size
}

function sizeOf([, whole = '', fraction = '', exponent = '0']: RegExpExecArray): bigint {
  const scale = fraction.length - Number(exponent)
  const units = BigInt(whole.replaceAll(',', '') + fraction)
  if (scale <= 9) return units * 10n ** BigInt(9 - scale)
  const step = 10n ** BigInt(scale - 9)
  return (units * 2n + step) / (2n * step)
}

/** `12,50` or `1.234,56`: a decimal comma, which is not guessed to be one. */
export function hasDecimalComma(text: string): boolean {
  return /^[^\d]*(\d{1,3}(\.\d{3})+|\d+),(\d{1,2}|\d{4,})\D*$/.test(text.trim())
}

/** Some bills have a line for each kind of token: `gpt-4o, cached input`. Those of one model are one here. */
export function modelIn(text: string): string {
  return text.trim().replace(/, (\w+ )*(input|output)$/i, '')
}

export function isDollars(currency: string): boolean {
  return /^\s*(usd|us\$|\$)?\s*$/i.test(currency)
}
