/** What each kind of mail code is made of, how long it lasts, and the text of the mail. */
import type { NoticeLanguage } from '../../../../kernel/toolkit/notifier/index.js'
import type { NewNotice } from '../../../services/notifications/index.js'
import type { MailPurpose } from './mail-codes.js'

export interface Purpose {
  readonly seconds: number
  /** The code as it is mailed, of 32 random bytes. It cannot be guessed, so that nobody may spoil it by guessing. */
  written(drawn: Buffer): string
  /** The code as somebody typed it, in the form it was mailed in. */
  plain(typed: string): string
  notice(mailed: Mailed, gateway: Gateway): NewNotice
}

interface Mailed {
  readonly code: string
  readonly email: string
  /** How long it is still valid. */
  readonly minutes: number
}

/** How mails describe the gateway, and the language they are written in. */
export interface Gateway {
  readonly name: string
  /** Where people reach it, as an admin set it, never from a request. Empty: not known. */
  readonly address: string
  readonly language: NoticeLanguage
}

/** 40 bits: no number of guesses within ten minutes comes near. 32 letters divide 256, so that none comes more often. */
const letters = 8
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

interface Texts {
  codeTitle(gateway: string): string
  code(minutes: number): string
  resetTitle(gateway: string): string
  reset(minutes: number): string
}

const texts: Readonly<Record<NoticeLanguage, Texts>> = {
  en: {
    codeTitle: (gateway) => `${gateway}: your code`,
    code: (minutes) =>
      `Your code is {{value}}. It is valid for ${inMinutes(minutes)}. If you did not request it, there is nothing to do.`,
    resetTitle: (gateway) => `${gateway}: reset your password`,
    reset: (minutes) =>
      `Open {{value}} within ${inMinutes(minutes)} to reset your password. If you did not request it, there is nothing to do.`,
  },
  zh: {
    codeTitle: (gateway) => `${gateway}：您的验证码`,
    code: (minutes) =>
      `您的验证码是 {{value}}，${minutes} 分钟内有效。如果这不是您本人的请求，无需任何操作。`,
    resetTitle: (gateway) => `${gateway}：重置密码`,
    reset: (minutes) =>
      `请在 ${minutes} 分钟内打开 {{value}} 以重置密码。如果这不是您本人的请求，无需任何操作。`,
  },
}

export const purposes: Readonly<Record<MailPurpose, Purpose>> = {
  verification: {
    seconds: 600,
    written: (drawn) => grouped([...drawn.subarray(0, letters)].map(letterOf).join('')),
    plain: (typed) =>
      grouped(
        typed
          .toLowerCase()
          .replace(/[^0-9a-z]/g, '')
          .replace(/[oil]/g, lookalike),
      ),
    notice: ({ code, minutes }, { name, language }) => ({
      type: 'verification',
      title: texts[language].codeTitle(name),
      content: texts[language].code(minutes),
      values: [code],
    }),
  },
  reset: {
    seconds: 900,
    written: (drawn) => drawn.toString('base64url'),
    plain: (typed) => typed.trim(),
    notice: ({ code, email, minutes }, { name, address, language }) => ({
      type: 'reset',
      title: texts[language].resetTitle(name),
      content: texts[language].reset(minutes),
      values: [resetLink(code, email, address)],
    }),
  },
}

function resetLink(code: string, email: string, address: string): string {
  const query = new URLSearchParams({ email, token: code })
  return `${address.replace(/\/+$/, '')}/user/reset?${query}`
}

function letterOf(byte: number): string {
  return alphabet[byte % alphabet.length]!
}

function lookalike(letter: string): string {
  return letter === 'o' ? '0' : '1'
}

function grouped(code: string): string {
  return `${code.slice(0, letters / 2)}-${code.slice(letters / 2)}`
}

function inMinutes(minutes: number): string {
  return minutes === 1 ? 'one minute' : `${minutes} minutes`
}
