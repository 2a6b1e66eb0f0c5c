/** Sizes for people: `562 MB`, `308 bytes`. */
import { locale } from '../shell/i18n.js'

const steps = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

export function bytesText(bytes: number): string {
  let size = bytes
  let step = 0
  while (size >= 1000 && step < steps.length - 1) {
    size /= 1000
    step += 1
  }
  // `308 byte` is what is short for bytes.
  const unitDisplay = step === 0 ? 'long' : 'short'
  const style = {
    style: 'unit',
    unit: steps[step]!,
    unitDisplay,
    maximumSignificantDigits: 3,
  } as const
  return new Intl.NumberFormat(locale.value, style).format(size)
}
