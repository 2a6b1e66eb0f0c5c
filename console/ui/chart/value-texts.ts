/** Values of charts as texts: in full where they are pointed at, short along an axis. */
import { useMoney } from '../money.js'
import { countText, lastingText } from '../time.js'
import { shortCount } from '../usage-figures.js'
import type { ChartValue } from './chart-data.js'

type ValueText = (value: ChartValue) => string

export interface ValueTexts {
  readonly text: ValueText
  readonly axis: ValueText
}

export const counts: ValueTexts = {
  text: (value) => countText(value),
  axis: (value) => shortCount(Number(value)),
}

const lasting: ValueText = (value) =>
  Number.isNaN(Number(value)) ? '—' : lastingText(Number(value))

/** Of milliseconds; not a number: nothing was timed. */
export const times: ValueTexts = { text: lasting, axis: lasting }

/** Of quota. */
export function useAmounts(): ValueTexts {
  const { money, about } = useMoney()
  return { text: (value) => money(value), axis: (value) => about(value) }
}
