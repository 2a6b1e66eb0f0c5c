/** The health service over channels that are only remembered, on a clock that moves when reported. */

import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Settings } from '../../../kernel/contract/kit.js'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Peers } from '../../../kernel/contract/services/peers.js'
import type { Schedule } from '../../../kernel/contract/services/schedule.js'
import { noPeers } from '../../../kernel/peers.js'
import type { ChannelEdits, ChannelPart } from '../../../plugins/services/channels/index.js'
import createHealth from '../../../plugins/services/health/index.js'
import type { Options } from '../../../plugins/services/options/index.js'
import { FakeClock } from '../../kit/clock.js'
import { channel as lineChannel } from '../../kit/line-fakes.js'
import { RecordingLog, settingsOf } from '../management/management-fixture.js'

const defaults: JsonObject = {
  enabled: true,
  window_seconds: 60,
  outcomes: 10,
  failures: 5,
  open_seconds: 15,
  open_seconds_max: 300,
  auto_disable: false,
  auto_disable_statuses: '401',
  auto_disable_keywords: 'balance is too low\n Exceeded Your Quota \n\n',
}

/** A channel with a key of each of these ids. */
export function channelWith(id: number, ...keyIds: readonly number[]): Channel {
  const keys = keyIds.map((keyId) => ({ id: keyId, text: `key ${keyId}`, enabled: true }))
  return { ...lineChannel(id), keys, enabled: true, autoBan: true }
}

export const broken: Failure = {
  blame: 'upstream',
  status: 500,
  code: 'upstream_error',
  message: 'The upstream failed.',
}

/** `suspend` stands in the way of what the service asks for; it answers true by default. */
export function ward(
  given: JsonObject = {},
  suspend: (part: ChannelPart, reason: string) => Promise<boolean> = async () => true,
  peers: Peers = noPeers,
) {
  const clock = new FakeClock()
  const log = new RecordingLog()
  const known = new Map<number, Channel>()
  const listeners = new Map<string, (ids: ReadonlySet<string>) => Promise<void> | void>()
  const checks = new Map<string, (text: string) => void>()
  const published: [string, JsonObject][] = []
  const suspensions: [ChannelPart, string][] = []
  let all = { ...defaults, ...given }
  const changed: (() => void)[] = []
  const view = () => settingsOf(all)
  const settings: Settings = {
    get all() {
      return all
    },
    string: (name) => view().string(name),
    number: (name) => view().number(name),
    boolean: (name) => view().boolean(name),
    json: () => ({}),
    onChange: (listener) => void changed.push(listener),
  }
  const health = createHealth({
    settings,
    clock,
    log,
    services: {
      peers,
      channels: {
        get: (id) => known.get(id),
        all: () => [...known.values()],
        tiers: () => [],
        fault: () => undefined,
        models: () => [],
        renewKey: async () => {},
        resume: async () => false,
        noteTest: async () => {},
        edits: {} as ChannelEdits,
        suspend(part, reason) {
          suspensions.push([part, reason])
          return suspend(part, reason)
        },
      },
      changes: {
        note: async () => {},
        on: (topic, listener) => void listeners.set(topic, listener),
        settled: async () => {},
      },
      options: {
        check: (key: string, check: (text: string) => void) => void checks.set(key, check),
      } as Partial<Options> as Options,
      database: {} as Database,
      schedule: {} as Schedule,
      live: { publish: (topic, message) => void published.push([topic, message]) },
    },
  })

  return {
    clock,
    log,
    health,
    checks,
    suspensions,
    published,
    /** The channels service has taken the record over, as after an edit. */
    put(channel: Channel): Channel {
      known.set(channel.id, channel)
      void listeners.get('channels')?.(new Set([String(channel.id)]))
      return channel
    },
    remove(id: number): void {
      known.delete(id)
      void listeners.get('channels')?.(new Set([String(id)]))
    },
    hear: (topic: string, id: string) => void listeners.get(topic)?.(new Set([id])),
    set(values: JsonObject): void {
      all = { ...all, ...values }
      for (const listener of changed) listener()
    },
    /** One try from beginning to end. */
    round(channel: Channel, keyId: number, model: string, failure?: Failure): void {
      health.claim(channel, keyId, model).ended(failure)
    },
  }
}

export const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
