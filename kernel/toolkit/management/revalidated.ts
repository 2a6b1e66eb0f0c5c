/** A text that is made once and read often, such as a long list. */
import { createHash } from 'node:crypto'
import type { Answer } from '../../contract/management.js'

/** Its reader alone keeps it and revalidates it each time, and is sent nothing where it has not changed: what it holds depends on who reads. */
export function revalidated(text: string): Answer {
  const digest = createHash('sha256').update(text).digest('base64url')
  const headers = {
    'Cache-Control': 'private, no-cache',
    Vary: 'Cookie, Authorization',
    ETag: `"${digest}"`,
  }
  return { answer: true, text, headers }
}
