/** Keys of limits as their digest. */
import { hash } from 'node:crypto'

/** What people type is neither kept in memory nor sent to Redis, and a long key takes no more room than a short one. */
export function digest(text: string): string {
  return hash('sha256', text, 'base64url')
}
