/** What each kind of mail code is made of, how long it lasts, and what the mail says. */
import { randomBytes, randomInt } from 'node:crypto'
import type { NewNotice } from '../notifications/index.js'
import type { MailPurpose } from './mail-codes.js'

export interface Purpose {
  readonly seconds: number
  /** How often it may be got wrong. Absent: it cannot be guessed, and nobody may spoil it by guessing. */
  readonly triesMax?: number
  draw(): string
  notice(code: string, email: string, gateway: Gateway): NewNotice
}

/** What mails say of the gateway. */
export interface Gateway {
  readonly name: string
  /** Where people reach it, as an admin set it, never as a request said. Empty: not known. */
  readonly address: string
}

export const purposes: Readonly<Record<MailPurpose, Purpose>> = {
  verification: {
    seconds: 600,
    triesMax: 5,
    draw: () => String(randomInt(1_000_000)).padStart(6, '0'),
    notice: (code, _email, { name }) => ({
      type: 'verification',
      title: `${name}: your code`,
      content:
        'Your code is {{value}}. It is valid for 10 minutes. If you did not ask for it, there is nothing to do.',
      values: [code],
    }),
  },
  reset: {
    seconds: 900,
    draw: () => randomBytes(32).toString('base64url'),
    notice: (code, email, { name, address }) => ({
      type: 'reset',
      title: `${name}: reset your password`,
      content:
        'Open {{value}} within 15 minutes to reset your password. If you did not ask for it, there is nothing to do.',
      values: [resetLink(code, email, address)],
    }),
  },
}

function resetLink(code: string, email: string, address: string): string {
  const query = new URLSearchParams({ email, token: code })
  return `${address.replace(/\/+$/, '')}/user/reset?${query}`
}
