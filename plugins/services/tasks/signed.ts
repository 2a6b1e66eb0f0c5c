/**
 * Addresses of results that work without a key, for 15 minutes (API-6, X15). What is signed is the task, the result, the user and the
 * moment it ends; an address of any other form, or with anything changed, is refused with one word for all faults.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { SignedAddresses } from './tasks.js'

export interface SignedDependencies {
  readonly secrets: Pick<SecretBox, 'derive'>
  readonly clock: Pick<Clock, 'now'>
  /** Public address of the gateway, without a slash at the end. Undefined: none is set. */
  serverAddress(): string | undefined
}

/** What is signed changes its meaning only with another version. */
const version = 'v1'
const lifeSeconds = 15 * 60

interface Grant {
  readonly taskId: string
  readonly index: number
  readonly userId: number
  /** Unix seconds. */
  readonly expires: number
}

export function createSigned({
  secrets,
  clock,
  serverAddress,
}: SignedDependencies): SignedAddresses {
  const key = secrets.derive('task-results')
  const seconds = () => Math.floor(clock.now() / 1000)

  function signatureOf({ taskId, index, userId, expires }: Grant): string {
    const mac = createHmac('sha256', key)
    for (const part of [version, taskId, index, userId, expires]) mac.update(lengthFirst(part))
    return mac.digest('hex')
  }

  return {
    of({ taskId, userId, operation }, index) {
      const expires = seconds() + lifeSeconds
      const signature = signatureOf({ taskId, index, userId, expires })
      const query = `uid=${userId}&expires=${expires}&signature=${signature}`
      return `${serverAddress() ?? ''}${pathOf(taskId, index, operation)}?${query}`
    },
    check(taskId, index, { uid, expires: ends, signature }) {
      const userId = wholeNumber(uid)
      const expires = wholeNumber(ends)
      if (userId === undefined || expires === undefined) throw new Refusal('signature_invalid')
      const left = expires - seconds()
      const isGenuine = isSame(signature, signatureOf({ taskId, index, userId, expires }))
      // One that lasts longer than any was made for is refused, whoever signed it.
      if (!isGenuine || left <= 0 || left > lifeSeconds) throw new Refusal('signature_invalid')
      return { userId }
    },
  }
}

/** Clients of Midjourney know the picture of a task by a path of its own. */
function pathOf(taskId: string, index: number, operation: string): string {
  const id = encodeURIComponent(taskId)
  return operation === 'midjourney' && index === 0
    ? `/mj/image/${id}`
    : `/v1/tasks/${id}/results/${index}`
}

/** No part can be moved into its neighbour. */
function lengthFirst(part: string | number): Buffer {
  const bytes = Buffer.from(String(part))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** As it was written and no other way, since a number has many spellings. */
function wholeNumber(text: string | undefined): number | undefined {
  return typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

function isSame(given: string | undefined, expected: string): boolean {
  if (typeof given !== 'string') return false
  const [sent, made] = [Buffer.from(given), Buffer.from(expected)]
  return sent.length === made.length && timingSafeEqual(sent, made)
}
