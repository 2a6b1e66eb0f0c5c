/**
 * `POST …/models/{model}:generateContent` and its streaming twin: model and stream stand in the address. Counting
 * tokens is left to the upstream where its channel can, else it is estimated; it needs a key and costs nothing (SVC-2, FMT-8).
 */
import type {
  Endpoint,
  EndpointAnswer,
  EndpointRoute,
  Inbound,
} from '../../../kernel/contract/endpoint.js'
import type { RequestHints } from '../../../kernel/contract/format.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import {
  generativeCredential,
  jsonBody,
  requireJson,
} from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { readJson } from '../../../kernel/toolkit/json/index.js'
import { countedRequest, countedTokens } from './count.js'
import { embedAsk } from './embed.js'

export default function create({
  services,
}: Kit<'identity' | 'formats' | 'token-counts'>): Endpoint {
  const { identity, formats, 'token-counts': counts } = services

  async function count({ client, params, payload }: Inbound): Promise<EndpointAnswer> {
    requireJson(client.headers)
    const credential = generativeCredential(client)
    if (credential.kind !== 'key') throw new Refusal('missing_credential')
    const caller = await identity.byKey(credential.key, client.address)
    const body = countedRequest(readJson(payload))
    const format = formats.get('generative')
    const { model = '' } = params
    const hints = { model, stream: false }
    format.check(body, hints)
    const asked = { caller, client, format: 'generative', body, model, hints } as const
    const counted = await counts.count(asked)
    if (typeof counted?.totalTokens === 'number') return { status: 200, body: counted }
    return { status: 200, body: { totalTokens: countedTokens(format.estimate(body)) } }
  }

  const counted: EndpointRoute = { kind: 'answer', answer: count }
  return {
    routes: {
      generate,
      stream,
      count: counted,
      'generate-stable': generate,
      'stream-stable': stream,
      'count-stable': counted,
      embed,
      'embed-stable': embed,
      'embed-many': embedMany,
      'embed-many-stable': embedMany,
      elsewhere,
      'elsewhere-stable': elsewhere,
    },
  }
}

const generate = relayed(({ params }) => ({ model: params.model ?? '', stream: false }))

/** Without `alt=sse` these clients read the stream as one JSON array. */
const stream = relayed(({ params, client }) => {
  const hints: RequestHints = { model: params.model ?? '', stream: true }
  return client.query.alt === 'sse' ? hints : { ...hints, framing: 'array' }
})

const embed: EndpointRoute = { kind: 'relay', receive: (inbound) => embedAsk(inbound, 'one') }
const embedMany: EndpointRoute = { kind: 'relay', receive: (inbound) => embedAsk(inbound, 'many') }

/** Models are read at these paths, which alone would make a call of a resource that is no model a wrong method. */
const elsewhere: EndpointRoute = {
  kind: 'answer',
  async answer({ method, path }) {
    throw new Refusal('not_found', { method, path: path.slice(0, 200) })
  },
}

function relayed(saidOf: (inbound: Inbound) => RequestHints): EndpointRoute {
  return {
    kind: 'relay',
    receive(inbound) {
      return {
        operation: 'chat',
        format: 'generative',
        body: jsonBody(inbound),
        credential: generativeCredential(inbound.client),
        hints: saidOf(inbound),
      }
    },
  }
}
