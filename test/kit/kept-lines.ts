/** A log whose lines a test looks into. */
import type { Log } from '../../kernel/contract/kit.js'

type Fields = Readonly<Record<string, unknown>>

export interface KeptLines {
  readonly log: Log
  /** Fields of the lines with this message, oldest first. */
  fields(message: string): readonly Fields[]
  messages(): readonly string[]
}

export function keptLines(): KeptLines {
  const lines: { readonly fields: Fields; readonly message: string }[] = []
  const take = (fields: object, message: string) =>
    void lines.push({ fields: { ...fields }, message })
  return {
    log: { debug() {}, info: take, warn: take, error: take },
    fields: (wanted) =>
      lines.filter(({ message }) => message === wanted).map(({ fields }) => fields),
    messages: () => lines.map(({ message }) => message),
  }
}
