/** The channels areas over real services: the real readers of documents, and stand-ins for the log and the price table. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import createKeys from '../../../plugins/management/channel-keys/index.js'
import createChannels from '../../../plugins/management/channels/index.js'
import type { BreakerStatus, Health } from '../../../plugins/services/health/index.js'
import type { PriceBook, Pricing } from '../../../plugins/services/pricing/index.js'
import type { UsageLog } from '../../../plugins/services/usage-log/index.js'
import type { Verification } from '../../../plugins/services/verification/index.js'
import { data, type managementFixture, settingsOf } from './management-fixture.js'

type ScriptedGateway = Awaited<ReturnType<typeof managementFixture>>

export const form = { type: 1, name: 'one', key: 'upstream-key', models: 'a,b', group: 'default' }

export const admin = {
  userId: 7,
  username: 'ada',
  role: 10,
  group: 'default',
  via: 'session',
} as const

/** A thousand for each step of the id. */
async function channelUsage(
  ids: readonly number[] = [1, 2, 3],
): Promise<ReadonlyMap<number, bigint>> {
  return new Map(ids.map((id) => [id, 1_000n * BigInt(id)]))
}

/** Takes the scope itself as its proof. */
const verification = {
  session: ({ principal }) => principal,
  async require({ headers }, scope) {
    if (headers['x-verification-token'] === scope) return
    throw new Refusal('verification_required', { scope })
  },
} as Partial<Verification> as Verification

const prices = { models: () => ['priced-model', 'a'] }

export function channelArea(gateway: ScriptedGateway, breakers: readonly BreakerStatus[] = []) {
  const { clock, log } = gateway
  const kit = { settings: settingsOf({}), clock, log }
  const usage: Pick<UsageLog, 'channelUsage'> = { channelUsage }
  const health = { breakersOfAll: async () => breakers } as Partial<Health> as Health
  const pricing: Pricing = { ...gateway.pricing, current: () => prices as unknown as PriceBook }
  const area = createChannels({
    ...kit,
    services: {
      ...gateway,
      pricing,
      health,
      'usage-log': usage as UsageLog,
      verification,
    },
  })
  const keyArea = createKeys({ ...kit, services: { ...gateway, verification } })
  const ask = (name: string, body?: object) => data(area, name, { body, principal: admin })

  return {
    area,
    keyArea,
    ask,
    create: (over: object = {}) => ask('create', { ...form, ...over }),
    update: (id: number, over: object) => ask('update', { id, ...over }),
    read: (id: number) => data(area, 'read', { params: { id: String(id) } }),
    list: (query: object = {}) => data(area, 'list', { query }),
    /** A channel of several keys. */
    several: (key: string, over: object = {}) =>
      ask('create', {
        mode: 'multi_to_single',
        multi_key_mode: 'random',
        channel: { ...form, key, ...over },
      }),
    keys: (channel_id: number, action: string, over: object = {}) =>
      data(keyArea, 'manage', { body: { channel_id, action, ...over }, principal: admin }),
    stored: (id: number) => gateway.database.knex('channels').where({ id }).first(),
    /** Rows of a channel's keys, in order of id. */
    keyRows: (id: number): Promise<readonly KeyRow[]> =>
      gateway.database.knex('channel_keys').where('channel_id', id).orderBy('id'),
    /** As the line sees them. */
    texts: (id: number) => gateway.channels.get(id)?.keys.map((key) => key.text),
  }
}

export interface KeyRow extends JsonObject {
  readonly id: number
  readonly sealed: string
  readonly status: number
  readonly disabled_reason: string
}
