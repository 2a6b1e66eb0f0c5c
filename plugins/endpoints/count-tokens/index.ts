/**
 * `POST /v1/messages/count_tokens`: the tokens of a prompt, by the upstream's count where the channel can, else by the local estimate.
 * It needs a key and costs nothing.
 */
import type { Endpoint, EndpointAnswer, Inbound } from '../../../kernel/contract/endpoint.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { messagesCredential, requireJson } from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { readJson } from '../../../kernel/toolkit/json/index.js'
import { requireVersion } from '../../../kernel/toolkit/vendors/index.js'

export default function create({
  services,
}: Kit<'identity' | 'formats' | 'token-counts'>): Endpoint {
  const { identity, formats, 'token-counts': counts } = services

  async function count({ client, payload }: Inbound): Promise<EndpointAnswer> {
    requireJson(client.headers)
    requireVersion(client.headers)
    const credential = messagesCredential(client.headers)
    if (credential.kind !== 'key') throw new Refusal('missing_credential')
    const caller = await identity.byKey(credential.key, client.address)
    const format = formats.get('messages')
    const body = readJson(payload)
    // Nothing is written, so a limit of the output means nothing here.
    format.check({ ...body, max_tokens: 1 })
    const model = String(body.model)
    const counted = await counts.count({ caller, client, format: 'messages', body, model })
    if (typeof counted?.input_tokens === 'number') return { status: 200, body: counted }
    return { status: 200, body: { input_tokens: format.estimate(body).input ?? 0 } }
  }

  return { routes: { count: { kind: 'answer', answer: count } } }
}
