/**
 * Consoles of the other processes of this address: a console is connected to one of them, and what it is shown happens in any. Changed
 * rows, orders and tasks are no matter of this: every process hears of them itself.
 */
import type { JsonObject } from '../contract/json.js'
import type { LiveTopic } from '../contract/services/live.js'
import type { Peers } from '../contract/services/peers.js'

export interface Elsewhere {
  publish(topic: LiveTopic, message: JsonObject, userId?: number): void
  /** Whether somebody there listens to this account. */
  hears(userId: number): boolean
  announceSoon(): void
}

interface ElsewhereDependencies {
  readonly peers: Peers
  /** Accounts that are listened to here. */
  accounts(): readonly number[]
  publish(topic: LiveTopic, message: JsonObject, userId?: number): void
}

const passedOn: ReadonlySet<LiveTopic> = new Set(['account', 'runs', 'system', 'health'])
const newsTopic = 'live'
const accountsTopic = 'live accounts'

type News = readonly [topic: LiveTopic, message: JsonObject, userId: number | null]

export function createElsewhere({ peers, accounts, publish }: ElsewhereDependencies): Elsewhere {
  const heard = new Map<number, ReadonlySet<number>>()
  let announcing = false

  peers.on(newsTopic, (news) => {
    const [topic, message, userId] = news as unknown as News
    publish(topic, message, userId ?? undefined)
  })
  peers.on(accountsTopic, (users, from) => {
    heard.set(from, new Set(users as readonly number[]))
  })
  peers.onGone(({ number }) => heard.delete(number))

  return {
    publish(topic, message, userId) {
      if (peers.count > 1 && passedOn.has(topic)) {
        peers.publish(newsTopic, [topic, message, userId ?? null])
      }
    },
    hears: (userId) => heard.size > 0 && [...heard.values()].some((users) => users.has(userId)),
    announceSoon() {
      if (peers.count === 1 || announcing) return
      announcing = true
      setImmediate(() => {
        announcing = false
        peers.publish(accountsTopic, accounts())
      })
    },
  }
}
