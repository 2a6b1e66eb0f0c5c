/**
 * Where people sign in from: the network (IPv4 /24, IPv6 /48) and the kind of browser, as a keyed hash. What was not used
 * for half a year is forgotten; of one account so many are kept at most.
 */
import { createHmac } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { Knex } from 'knex'
import type { Clock } from '../../../kernel/contract/kit.js'

const keptMs = 180 * 86_400_000
const keptMax = 50
/** The session was opened by the very request of the event. */
const justNowMs = 60_000

export interface PlacesDependencies {
  readonly knex: Knex
  readonly clock: Clock
  readonly key: Buffer
}

export function signInPlaces({ knex, clock, key }: PlacesDependencies) {
  /** Whether the user has signed in just now, has done so before, and never from here. It is remembered. */
  async function isNew(userId: number, address: string): Promise<boolean> {
    const now = new Date(clock.now())
    const session = await knex('sessions')
      .where({ user_id: userId, address })
      .where('created_at', '>', new Date(now.getTime() - justNowMs))
      .orderBy('created_at', 'desc')
      .first('user_agent')
    if (session === undefined) return false
    const text = `${userId} ${networkOf(address)} ${browserOf(session.user_agent)}`
    const place = createHmac('sha256', key).update(text).digest()
    return knex.transaction(async (trx) => {
      const old = new Date(now.getTime() - keptMs)
      await trx('sign_in_places').where('user_id', userId).where('seen_at', '<', old).delete()
      const known = await trx('sign_in_places')
        .where('user_id', userId)
        .orderBy('seen_at', 'desc')
        .select('place')
      const row = { user_id: userId, place, seen_at: now }
      await trx('sign_in_places').insert(row).onConflict(['user_id', 'place']).merge(['seen_at'])
      const beyond = known.slice(keptMax - 1).map((one) => one.place)
      await trx('sign_in_places').where('user_id', userId).whereIn('place', beyond).delete()
      return known.length > 0 && !known.some((one) => place.equals(one.place))
    })
  }

  return { isNew }
}

function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  const bits = parsed.kind() === 'ipv4' ? 24 : 48
  const bytes = parsed.toByteArray().slice(0, bits / 8)
  return `${parsed.kind()} ${bytes.join('.')}`
}

/** Without versions, which change every month. */
function browserOf(userAgent: string): string {
  const browser = /Edg|OPR|Firefox|Chrome|Safari/.exec(userAgent)?.[0]
  const system = /Windows|Android|iPhone|iPad|Mac OS X|CrOS|Linux/.exec(userAgent)?.[0]
  return browser === undefined ? (userAgent.split(/[/\s]/, 1)[0] ?? '') : `${browser} ${system}`
}
