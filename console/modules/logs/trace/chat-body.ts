/** A recorded chat completion as the Playground can send it again. */
import type { RecordedBody } from '../../../api/traces.js'

/** Undefined: it was cut, or holds media that were not kept, and would be another request. */
export function chatBodyOf({ kind, text, cut }: RecordedBody): string | undefined {
  if (kind !== 'text' || cut || /\[base64, \d+ characters\]/.test(text)) return undefined
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return undefined
  }
}
