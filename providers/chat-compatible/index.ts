/**
 * Upstreams that speak the chat format with a bearer key and nothing else of their own. The manifest is their table of
 * names and bases; which of them serve more than chat, or under another version, stands in `paths.ts`.
 */
import type { AdapterBase, ChannelView, Provider } from '../../kernel/contract/provider.js'
import { upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { bearerList, bearerRequest, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { modelsPathFor, pathFor, type Served, serves } from './paths.js'

export default function create(): Provider {
  return {
    operations: {
      chat: { format: 'chat', ...served('chat') },
      embeddings: { format: 'same', ...served('embeddings') },
      images: { format: 'same', ...served('images') },
      rerank: { format: 'same', ...served('rerank') },
    },
    models: bearerList(({ baseUrl, type }) => upstreamUrl(baseUrl, modelsPathFor(type)), fail),
  }
}

const fail: AdapterBase['fail'] = (status, headers, head) =>
  upstreamFailure({ status, headers, head })

function served(operation: Served): AdapterBase {
  return {
    serves: ({ type }) => serves(type, operation),
    address: (_, channel, credentials, context) =>
      bearerRequest(
        upstreamUrl(channel.baseUrl, pathFor(channel.type, operation)),
        credentials,
        context,
        { appid: appId(channel) },
      ),
    fail,
  }
}

/** An application of the operator's account the call is counted for; Baidu knows them. */
function appId({ settings }: ChannelView): string | undefined {
  return typeof settings.appid === 'string' ? settings.appid.trim() : undefined
}
