/** A provider for tests that takes every media operation in its one form, and nothing else. */
import type { OperationName } from '../../../../../kernel/contract/names.js'
import type { Adapter, Provider } from '../../../../../kernel/contract/provider.js'
import { upstreamFailure } from '../../../../../kernel/toolkit/errors/upstream-failure.js'
import { upstreamUrl } from '../../../../../kernel/toolkit/provider/address.js'
import { bearerRequest } from '../../../../../kernel/toolkit/provider/bearer-request.js'

const paths: Partial<Record<OperationName, string>> = {
  images: '/v1/images/generations',
  edits: '/v1/images/edits',
  speech: '/v1/audio/speech',
  transcriptions: '/v1/audio/transcriptions',
  translations: '/v1/audio/translations',
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
