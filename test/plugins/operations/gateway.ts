/**
 * A whole gateway with a channel of the provider beside this file: every JSON operation goes to a scripted upstream, at
 * 1 quota per token read and 4 per token written.
 */
import type { Teardown } from '../../kit/database.js'
import { bootGateway, type LogRow } from '../../kit/gateway.js'
import { type Management, management } from '../../kit/management.js'
import { type ScriptedUpstream, scriptedUpstream } from '../../kit/upstream.js'

export const model = 'test-model'
const channelType = 990

export interface OperationsGateway {
  readonly url: string
  readonly admin: Management
  readonly upstream: ScriptedUpstream
  readonly channelId: number
  /** POSTs with the test key; a string goes out as it is. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** What root was charged while this ran. */
  cost(run: () => Promise<unknown>): Promise<bigint>
  /** Rows of the usage log, newest first. */
  logs(): Promise<readonly LogRow[]>
}

export async function operationsGateway(t: Teardown): Promise<OperationsGateway> {
  const upstream = await scriptedUpstream(t)
  const gateway = await bootGateway(t, { roots: [new URL('./provider/', import.meta.url)] })
  const url = gateway.address
  const admin = management(url)
  await admin.setUp()
  await admin.credit(1, 10_000_000)
  const { key } = await admin.token()
  await admin.option('ModelRatio', { [model]: 1 })
  await admin.option('CompletionRatio', { [model]: 4 })
  // Failures are scripted here; no channel is to be left alone for them.
  await admin.option('breaker_setting.enabled', false)
  const channelId = await admin.channel(channel(upstream))

  async function balance(): Promise<bigint> {
    await gateway.idle()
    return admin.balance()
  }

  return {
    url,
    admin,
    upstream,
    channelId,
    post: (path, body, headers = {}) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async cost(run) {
      const before = await balance()
      await run()
      return before - (await balance())
    },
    async logs() {
      await gateway.idle()
      return (await admin.must('GET', '/api/log/?type=2&page_size=100')).items
    },
  }
}

/** Fields of a channel of the test provider. */
export function channel({ url }: Pick<ScriptedUpstream, 'url'>) {
  return {
    type: channelType,
    name: 'scripted',
    key: 'upstream-key',
    base_url: url,
    models: `${model},mapped,text-moderation-stable`,
    group: 'default',
    model_mapping: JSON.stringify({ mapped: model }),
  }
}
