/**
 * What notifiers share: the text of a notice with its holes filled, what is wrong with an address a user names, and what
 * an answer, or none, states of the delivery. No reason holds anything a receiver sent or a user set.
 */
import ipaddr from 'ipaddr.js'
import type { Notice, NoticeOutcome } from '../../contract/notifier.js'

/** The content with each `{{value}}` replaced by the next value. */
export function noticeText({ content, values }: Pick<Notice, 'content' | 'values'>): string {
  let next = 0
  return content.replace(/\{\{value\}\}/g, () => values[next++] ?? '')
}

/**
 * Why a user's address cannot be called, as the end of a sentence about its field; undefined: it may be. Names are
 * looked up when they are called, and refused then where they lead inside.
 */
export function faultOfAddress(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return 'must be an address that begins with http:// or https://'
  }
  if (url.username !== '' || url.password !== '') return 'must hold no user name or password'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isInside = ipaddr.isValid(host)
    ? ipaddr.process(host).range() !== 'unicast'
    : /(^|\.)localhost\.?$/.test(host)
  return isInside ? 'must be a public address' : undefined
}

/** A user's address as it is called. */
export function calledAddress(address: string): URL {
  const url = new URL(address)
  url.hash = ''
  return url
}

/** As a notifier by HTTP reports an answer. Redirects are not followed: the receiver's address is to be set right. */
export function outcomeOf({ status, headers }: Response, now: number): NoticeOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' }
  const reason = `The receiver answered with status ${status}.`
  if (status !== 408 && status !== 425 && status !== 429 && status < 500) {
    return { kind: 'refused', reason }
  }
  const afterMs = retryAfterMs(headers.get('retry-after') ?? '', now)
  return { kind: 'later', reason, ...(afterMs !== undefined && { afterMs }) }
}

/** As a notifier reports a call that came to nothing. `field` names the address that was called. */
export function outcomeOfError(error: unknown, field: string): NoticeOutcome {
  const code = codeOf(error)
  if (code === 'channel:address_refused') {
    return { kind: 'refused', reason: `${field} leads to an address that may not be called.` }
  }
  const late = code === 'upstream_timeout'
  return {
    kind: 'later',
    reason: late ? 'The receiver did not answer in time.' : 'The receiver could not be reached.',
  }
}

/** By its shape, since plugins know nothing of egress. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('failure' in error)) return undefined
  const { failure } = error
  return typeof failure === 'object' && failure && 'code' in failure
    ? String(failure.code)
    : undefined
}

const dayMs = 86_400_000

function retryAfterMs(reported: string, now: number): number | undefined {
  const ms = /^\d+$/.test(reported) ? Number(reported) * 1000 : Date.parse(reported) - now
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), dayMs) : undefined
}
