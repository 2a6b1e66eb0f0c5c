/** How long texts of receipts may be, and what stands in them: nothing that is not seen, so that it is one document to all. */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { visible } from '../../../kernel/toolkit/management/index.js'

export const bounds = {
  name: 120,
  taxId: 60,
  contact: 200,
  sentence: 400,
  address: { lines: 8, characters: 100 },
  note: { lines: 60, characters: 1000 },
} as const

interface LineBounds {
  readonly lines: number
  /** In each. */
  readonly characters: number
}

/** One line, composed, without blanks around it. Throws a `Refusal` that names the field. */
export function oneLineOf(param: string, text: string, charactersMax: number): string {
  const line = text.normalize('NFC').trim()
  if (!visible.test(line)) {
    throw invalid(param, 'must be one line of characters that can be seen')
  }
  if ([...line].length > charactersMax) {
    throw invalid(param, `must have at most ${charactersMax} characters`)
  }
  return line
}

/** Lines without blanks around them, and without empty ones at both ends. Throws a `Refusal` that names the field. */
export function linesOf(param: string, text: string, { lines: most, characters }: LineBounds) {
  const lines = text
    .trim()
    .split(/\r\n|\r|\n/)
    .map((line) => line.replaceAll('\t', ' ').normalize('NFC').trim())
  if (lines.length > most) throw invalid(param, `must have at most ${most} lines`)
  if (lines.some((line) => [...line].length > characters)) {
    throw invalid(param, `must have at most ${characters} characters in a line`)
  }
  if (!lines.every((line) => visible.test(line))) {
    throw invalid(param, 'must hold only characters that can be seen')
  }
  return lines.join('\n')
}

function invalid(param: string, fault: string): Refusal {
  return new Refusal('invalid_field', { reason: `${param} ${fault}.`, param })
}
