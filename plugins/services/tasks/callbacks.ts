/** Addresses at which upstreams report tasks by themselves: one for each task, which nobody can guess (BILL-10). */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Options } from '../options/index.js'

export interface CallbackDependencies {
  readonly secret: Buffer
  readonly options: Pick<Options, 'list'>
}

export function createCallbacks({ secret, options }: CallbackDependencies) {
  const secretOf = (taskId: string) =>
    createHmac('sha256', secret).update(taskId).digest('hex').slice(0, 40)

  return {
    /** Undefined: nobody outside knows where this gateway is. */
    urlOf(taskId: string): string | undefined {
      const address = serverAddress(options)
      return address && `${address}/api/tasks/callback/${taskId}/${secretOf(taskId)}`
    },
    isGenuine(taskId: string, given: string): boolean {
      const known = Buffer.from(secretOf(taskId))
      const sent = Buffer.from(given)
      return known.length === sent.length && timingSafeEqual(known, sent)
    },
  }
}

/** Without a trailing slash. Undefined: none is set, or it is no address. */
export function serverAddress(options: Pick<Options, 'list'>): string | undefined {
  const value = String(
    options.list().find(({ key }) => key === 'ServerAddress')?.value ?? '',
  ).trim()
  return /^https?:\/\/[^\s]+$/i.test(value) ? value.replace(/\/+$/, '') : undefined
}
