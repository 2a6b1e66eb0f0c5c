/** Whom a limit counts: one account however it is typed. */
import { hash } from 'node:crypto'

/** Spellings of one name or e-mail address are one account. */
export function accountKey(typed: string): string {
  return digest(typed.trim().normalize('NFC').toLowerCase().normalize('NFC'))
}

/** What people type is neither kept in memory nor sent to Redis, and a long key takes no more room than a short one. */
export function digest(text: string): string {
  return hash('sha256', text, 'base64url')
}
