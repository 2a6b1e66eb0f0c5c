/** How long something has lasted, in its two largest units: `3h 12m`, `45s`. */
import { locale } from '../shell/i18n.js'

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

export function spanText(seconds: number): string {
  let left = Math.max(0, Math.floor(seconds))
  const parts: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(unitText(count, unit))
    else if (parts.length > 0) break
    if (parts.length === 2) break
  }
  return parts.join(' ') || unitText(0, 'second')
}

function unitText(count: number, unit: (typeof units)[number][0]): string {
  const style = { style: 'unit', unit, unitDisplay: 'narrow' } as const
  return new Intl.NumberFormat(locale.value, style).format(count)
}
