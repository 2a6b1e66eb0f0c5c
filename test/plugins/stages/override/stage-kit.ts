/** The override stage with the real service and formats, run on a record of the line. */

import type { Format } from '../../../../kernel/contract/format.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { Failed } from '../../../../kernel/contract/line/attempt.js'
import type { Channel } from '../../../../kernel/contract/line/channel.js'
import type { Mapped, Overridden } from '../../../../kernel/contract/line/record.js'
import chat from '../../../../plugins/formats/chat/index.js'
import generative from '../../../../plugins/formats/generative/index.js'
import messages from '../../../../plugins/formats/messages/index.js'
import responses from '../../../../plugins/formats/responses/index.js'
import rewriting from '../../../../plugins/services/rewriting/index.js'
import create from '../../../../plugins/stages/override/index.js'
import { channel, opened } from '../../../kit/line-fakes.js'

export const formats: Readonly<Record<string, Format>> = {
  chat: chat(),
  generative: generative(),
  messages: messages(),
  responses: responses(),
}

const stage = create({ services: { rewriting: rewriting() } } as never)

export type Done = Pick<Overridden, 'wire' | 'lost' | 'headers' | 'audit' | 'limits' | 'estimate'>

export interface Given {
  readonly format?: string
  readonly channel?: Partial<Channel>
  readonly state?: Partial<Mapped>
}

/** @param body the wire, as a value or as the client's text */
export function run(body: JsonObject | string, given: Given = {}): Done | Failed {
  const bytes = typeof body === 'string' ? Buffer.from(body) : undefined
  const value = typeof body === 'string' ? (JSON.parse(body) as JsonObject) : body
  const format = formats[given.format ?? 'chat']!
  const { limits, estimate, price, draft, firstMs, reply, ...mapped } = opened()
  const state = {
    ...mapped,
    format,
    upstreamFormat: format,
    stream: false,
    wire: { kind: 'json', value, ...(bytes && { bytes }) },
    channel: channel(1, given.channel),
    ...given.state,
  } as Mapped
  return stage.run(state) as Done | Failed
}

export function done(body: JsonObject | string, given?: Given): Done {
  const outcome = run(body, given)
  if ('failure' in outcome) throw new Error(outcome.failure.message)
  return outcome
}

/** The outgoing JSON. */
export function wireOf(body: JsonObject | string, given?: Given): JsonObject {
  const { wire } = done(body, given)
  if (wire.kind !== 'json') throw new Error('it is no JSON')
  return wire.value
}
