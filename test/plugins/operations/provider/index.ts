/** A provider for tests that takes every JSON operation in its one form, and no chat. */
import type { OperationName } from '../../../../kernel/contract/names.js'
import type { Adapter, Provider } from '../../../../kernel/contract/provider.js'
import { upstreamFailure } from '../../../../kernel/toolkit/errors/upstream-failure.js'
import { upstreamUrl } from '../../../../kernel/toolkit/provider/address.js'
import { bearerRequest } from '../../../../kernel/toolkit/provider/bearer-request.js'

const paths: Partial<Record<OperationName, string>> = {
  embeddings: '/v1/embeddings',
  moderations: '/v1/moderations',
  rerank: '/v1/rerank',
  completions: '/v1/completions',
  compact: '/v1/responses/compact',
  search: '/backend/search',
}

export default function create(): Provider {
  const adapters = Object.entries(paths).map(([name, path]) => [name, adapterAt(path)])
  return { operations: Object.fromEntries(adapters) }
}

function adapterAt(path: string): Adapter {
  return {
    format: 'same',
    address: (_wire, channel, credentials, context) =>
      bearerRequest(upstreamUrl(channel.baseUrl, path), credentials, context),
    fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
  }
}
