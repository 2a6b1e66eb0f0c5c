/**
 * A guard as the line calls it: with a view of the record that holds no key and nothing to act with. What it throws beside
 * refusals, at once or later, is a fault that states whose it is; so is one that never has done, since a hold may be waiting
 * behind it. A guard is never set aside: one that is broken lets nothing through.
 */
import type { Client } from '../contract/client.js'
import type { Guard, Shown, ShownChannel } from '../contract/guard.js'
import type { Channel } from '../contract/line/channel.js'
import type { Opened, Received } from '../contract/line/record.js'
import { EgressError } from '../toolkit/errors/egress-error.js'
import { isPromise } from '../toolkit/stage/promise.js'
import type { Health, Tally } from './health.js'
import { faultOf, timeLimits, within } from './verb.js'

export function containedGuard(guard: Guard, health: Health): Guard {
  const tally = health.tally('check', 'reported')
  const later = async (checking: Promise<void>) => {
    try {
      const limit = { verb: 'check', limitMs: timeLimits.check }
      await within(health.clock, limit, async () => checking)
    } catch (error) {
      throw named(tally, error)
    }
  }
  return {
    check(state: Shown<Received>) {
      const began = tally.began()
      try {
        const checking = guard.check(seenBy(state as Received))
        return isPromise(checking) ? later(checking) : undefined
      } catch (error) {
        throw named(tally, error)
      } finally {
        tally.ended(began)
      }
    },
  }
}

/**
 * A call that came to nothing is no upstream's failure here: it is named as the guard's. It stays its cause, by which nobody takes
 * the service of a guard for the database.
 */
function named(tally: Tally, error: unknown): unknown {
  const own = error instanceof EgressError ? new Error(error.message, { cause: error }) : error
  return faultOf(tally, own)
}

/** A copy, so that nothing a guard writes there reaches the request. Keys, and what acts on the request, stay behind. */
function seenBy(state: Received & Partial<Opened>): Shown<Received> {
  const seen: Record<string, unknown> = { ...state, client: seenClient(state.client) }
  for (const name of withheld) delete seen[name]
  if (state.channel !== undefined) seen.channel = seenChannel(state.channel)
  return Object.freeze(seen) as unknown as Shown<Received>
}

const withheld = ['key', 'credential', 'hold', 'claim', 'sink', 'room'] as const

function seenChannel({ keys: _, proxy: __, headerOverride: ___, ...shown }: Channel): ShownChannel {
  return Object.freeze(shown)
}

function seenClient({ headers, query, address }: Client): Client {
  const shown = Object.entries(headers).filter(([name]) => !credentialHeaders.has(name))
  const { key: _, ...rest } = query
  return Object.freeze({ headers: Object.fromEntries(shown), query: rest, address })
}

/** Where clients of the formats there are put a key or a session. */
const credentialHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'api-key',
  'x-api-key',
  'x-goog-api-key',
  'mj-api-secret',
  'sec-websocket-protocol',
])
