/**
 * A full test of a channel: the requests of `waybill plugin live`, each down the line by the kernel's probe, so that they cost nobody here;
 * upstream they cost what they cost.
 */

import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Channel, ChannelKey } from '../../../kernel/contract/line/channel.js'
import type { Peers } from '../../../kernel/contract/services/peers.js'
import type { Probe, ProbeResult } from '../../../kernel/contract/services/probe.js'
import {
  maskedFailure,
  maskedText,
  operatorMessage,
  Refusal,
  toClientError,
} from '../../../kernel/toolkit/errors/index.js'
import type { FullTestOptions, RequestResult } from './channel-tests.js'
import type { LiveClient } from './live/replies.js'
import { type LiveRequest, liveRequests } from './live/requests.js'

/** After it nothing more is begun. */
const totalMs = 300_000

export const requestNames = liveRequests.map(({ name }) => name)

interface FullTestDependencies {
  readonly probe: Probe
  readonly clock: Clock
  readonly peers: Peers
}

const topic = 'full test under way'

/** What is decided before the first request goes out. */
export interface Subject {
  readonly channel: Channel
  readonly key: ChannelKey
  readonly model: string
  readonly embeddingModel: string | undefined
}

export function createFullTests({ probe, clock, peers }: FullTestDependencies) {
  const underway = new Set<number>()
  peers.respond(topic, (channelId) => underway.has(Number(channelId)))

  async function isElsewhere(channelId: number): Promise<boolean> {
    return (await peers.ask(topic, channelId)).some(({ reply }) => reply === true)
  }

  async function run(
    subject: Subject,
    { only = requestNames, models, signal }: FullTestOptions,
  ): Promise<readonly RequestResult[]> {
    const { id } = subject.channel
    if (underway.has(id) || (await isElsewhere(id)) || underway.has(id)) {
      throw new Refusal('conflict', { reason: 'A full test of this channel is under way.' })
    }
    underway.add(id)
    try {
      const client = clientOf(subject, probe, models)
      const until = clock.monotonic() + totalMs
      const results: RequestResult[] = []
      for (const request of liveRequests.filter(({ name }) => only.includes(name))) {
        const isOver = signal?.aborted === true || clock.monotonic() >= until
        results.push(isOver ? unsent(request) : await sent(request, client, subject.key))
      }
      return results
    } finally {
      underway.delete(id)
    }
  }

  async function sent({ name, run }: LiveRequest, client: LiveClient, { text: key }: ChannelKey) {
    const began = clock.monotonic()
    const { outcome, words } = await run(client)
    return {
      name,
      outcome,
      ms: Math.round(clock.monotonic() - began),
      words: maskedText(words, key),
    }
  }

  return run
}

function unsent({ name }: LiveRequest): RequestResult {
  return { name, outcome: 'skipped', ms: 0, words: 'the test had ended' }
}

function clientOf(
  { channel, key, model, embeddingModel }: Subject,
  probe: Probe,
  models: FullTestOptions['models'],
): LiveClient {
  return {
    ...{ model, embeddingModel, models },
    async send(_method, path, body, leaving) {
      const operation = path === '/v1/embeddings' ? 'embeddings' : 'chat'
      const json = { kind: 'json', value: body as JsonObject } as const
      const result = await probe.run({
        ...{ channel, key, operation, format: 'chat', body: json },
        ...(leaving !== undefined && { leavesEarly: true }),
      })
      return responseOf(result, key)
    },
  }
}

/** As a client would have received it, with the words the operator may read: whoever cuts them may leave half a key. */
function responseOf({ failure, head }: ProbeResult, { text }: ChannelKey): Response {
  if (failure === undefined) return new Response(maskedText(plainlySpelled(head), text))
  const masked = maskedFailure(failure, text)
  const { status, type, code, param } = toClientError(masked)
  const error = { message: operatorMessage(masked), type, code, param }
  return Response.json({ error }, { status })
}

/** Each character of a JSON text may be escaped. What is none, such as a stream, stays as it is. */
function plainlySpelled(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}
