/** Acme takes the chat format under a path of its own, signs each call, and has its own words for errors. */
import { createHmac } from 'node:crypto'
import { type Adapter, isObject, type JsonObject, type Provider } from 'waybill/contract'
import { bytesOf } from 'waybill/toolkit/body'
import { type ErrorFields, upstreamFailure } from 'waybill/toolkit/errors'
import { textOf } from 'waybill/toolkit/json'
import { bearerList, bearerRequest, upstreamUrl } from 'waybill/toolkit/provider'

export default function create(): Provider {
  return {
    operations: { chat: { format: 'chat', address, fail } },
    models: bearerList('/v2/models', fail),
  }
}

/** Called last, after the operator's overrides: what is signed is what is sent. */
const address: Adapter['address'] = (wire, { baseUrl, settings }, credentials, context) => {
  const body = wire.kind === 'json' ? bytesOf(wire) : ''
  const seconds = String(Math.floor(context.now / 1000))
  const signature = createHmac('sha256', credentials.key).update(`${seconds}.`).update(body)
  const request = bearerRequest(upstreamUrl(baseUrl, '/v2/chat'), credentials, context, {
    'x-acme-region': textOf(settings.region),
    'x-acme-time': seconds,
    'x-acme-signature': signature.digest('hex'),
  })
  return { ...request, body }
}

const fail: Adapter['fail'] = (status, headers, head) =>
  upstreamFailure({ status, headers, head }, errorOf)

/** `{"problem": {"kind": "too_long", "text": "…", "field": "messages"}}` */
function errorOf({ problem }: JsonObject): ErrorFields | undefined {
  if (!isObject(problem)) return undefined
  const kind = textOf(problem.kind)
  return {
    message: textOf(problem.text),
    type: kind,
    param: textOf(problem.field),
    // Acme sends 400 for an empty account, which no client can do anything about.
    ...(kind === 'empty_account' && { blame: 'channel' }),
  }
}
