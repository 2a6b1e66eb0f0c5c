/**
 * Whether a failed call may go to another channel: the blame decides, by the original status (CHAN-2, S18).
 */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { statusCodes } from '../../../kernel/toolkit/stage/index.js'

const option = 'AutomaticRetryStatusCodes'

export type RetryRule = (failure: Failure) => boolean

export function retryRule({ settings, services }: Kit<'options'>): RetryRule {
  services.options.check(option, (text) => void read(text))
  let last: { readonly text: string; readonly listed: (status: number) => boolean } | undefined

  function listed(status: number): boolean {
    const text = settings.string('retryStatusCodes')
    if (last?.text !== text) last = { text, listed: read(text) }
    return last.listed(status)
  }

  return ({ blame, status, code }) => {
    // A gateway that stops begins nothing anew.
    if (blame === 'client' || code === 'shutting_down') return false
    // No answer came, or the status was a success and the answer was none.
    if (status < 400) return true
    // The provider knows better than the status that the channel is at fault.
    return listed(status) || (blame === 'channel' && isClients(status))
  }
}

const clientStatuses: ReadonlySet<number> = new Set([400, 405, 410, 413, 414, 415, 416, 417, 422])

function isClients(status: number): boolean {
  return clientStatuses.has(status)
}

function read(text: string): (status: number) => boolean {
  try {
    return statusCodes(text)
  } catch (error) {
    const fault = error instanceof Error ? error.message : ''
    throw new Refusal('invalid_field', { reason: `${option}: ${fault}`, param: option })
  }
}
