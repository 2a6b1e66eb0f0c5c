/**
 * The cookie of a browser that has signed in to an account before. It opens nothing: it only shows that the tries of this
 * browser are counted for itself. 32 bytes: user, moment of issue, a random name, and an HMAC of the three.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { ownCookie, ownCookieOf } from '../../../kernel/toolkit/management/index.js'

export interface Devices {
  /** Whole `Set-Cookie` value. */
  cookie(userId: number, secure: boolean): string
  /** Name of the browser; undefined: it is not known to this account. */
  known(
    cookies: string | readonly string[] | undefined,
    userId: number,
    secure: boolean,
  ): string | undefined
}

export interface DeviceDependencies {
  readonly key: () => Buffer
  /** Unix milliseconds. */
  readonly now: () => number
}

const name = 'device'
const lifeSeconds = 90 * 86_400
const named = 16

export function devices({ key, now }: DeviceDependencies): Devices {
  const seconds = () => Math.floor(now() / 1000)
  const macOf = (named: Buffer) =>
    createHmac('sha256', key()).update(named).digest().subarray(0, 16)

  return {
    cookie(userId, secure) {
      const head = Buffer.alloc(8)
      head.writeUInt32BE(userId)
      head.writeUInt32BE(seconds(), 4)
      const named = Buffer.concat([head, randomBytes(8)])
      const value = Buffer.concat([named, macOf(named)]).toString('base64url')
      return ownCookie({ name, value, secure, sameSite: 'Strict', maxAgeSeconds: lifeSeconds })
    },
    known(cookies, userId, secure) {
      const value = Buffer.from(ownCookieOf(cookies, name, secure) ?? '', 'base64url')
      const head = value.subarray(0, named)
      const mac = value.subarray(named)
      if (mac.length !== 16 || !timingSafeEqual(mac, macOf(head))) return undefined
      if (head.readUInt32BE(0) !== userId) return undefined
      return head.readUInt32BE(4) + lifeSeconds > seconds() ? head.toString('base64url') : undefined
    },
  }
}
