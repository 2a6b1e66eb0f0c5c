/** Images by predictions of Replicate, which are waited for: what takes longer than it waits is given up. */
import type { OwnOperationAdapter, Provider } from '../../kernel/contract/provider.js'
import { upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { jsonOf } from '../../kernel/toolkit/operation/index.js'
import { bearerRequest, modelSegment, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { answer } from './answer.js'
import { inputOf } from './input.js'

export default function create(): Provider {
  return { operations: { images } }
}

const images: OwnOperationAdapter = {
  format: 'own',
  shape: (body, _channel, model) => ({
    kind: 'json',
    value: { ...(!isOfficial(model) && { version: model }), input: inputOf(jsonOf(body)) },
  }),
  address: (_wire, { baseUrl }, credentials, context) =>
    bearerRequest(upstreamUrl(baseUrl, pathOf(context.model)), credentials, context, waiting),
  answer,
  fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
}

/** As long as it waits at most; nothing runs on that nobody will fetch. */
const waiting = { prefer: 'wait=60', 'cancel-after': '60s' }

/** Models of others run by a version, which the body names. */
function isOfficial(model: string): boolean {
  return /^[^/:]+\/[^/:]+$/.test(model)
}

function pathOf(model: string): string {
  if (!isOfficial(model)) return '/v1/predictions'
  return `/v1/models/${model.split('/').map(modelSegment).join('/')}/predictions`
}
