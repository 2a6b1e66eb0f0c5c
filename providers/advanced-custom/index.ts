/**
 * An upstream the operator describes route by route: which client path it serves, where that leads, which format is
 * spoken there, for which models and with which credentials.
 */
import type { FormatName, OperationName } from '../../kernel/contract/names.js'
import type {
  Adapter,
  AddressContext,
  FormatAdapter,
  Provider,
  SameFormAdapter,
} from '../../kernel/contract/provider.js'
import { upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { balance } from './balance.js'
import { callOf } from './call.js'
import { faultOfSettings } from './document.js'
import { geminiEmbeddings } from './gemini-embeddings.js'
import { ofMessages } from './messages-facts.js'
import { models } from './models.js'
import { operations } from './paths.js'
import { sglangRerank } from './sglang-rerank.js'
import { routeTable, type Table } from './table.js'
import { joined } from './target.js'

export default function create(): Provider {
  const table = routeTable()
  const formats: readonly FormatName[] = ['chat', 'messages', 'responses', 'generative']
  const same = Object.fromEntries(operations.map((name) => [name, operationAdapter(table, name)]))
  return {
    operations: {
      ...same,
      chat: formats.map((format) => chatAdapter(table, format)),
      embeddings: [operationAdapter(table, 'embeddings'), geminiEmbeddings(table)],
      rerank: [operationAdapter(table, 'rerank'), sglangRerank(table)],
    },
    models,
    balance,
    faultOf: faultOfSettings,
  }
}

const fail: Adapter['fail'] = (status, headers, head) => upstreamFailure({ status, headers, head })

const forwards: Readonly<Record<FormatName, readonly string[]>> = {
  chat: ['openai-beta'],
  messages: ['anthropic-version', 'anthropic-beta'],
  responses: ['openai-beta'],
  generative: [],
}

function chatAdapter(table: Table, format: FormatName): FormatAdapter {
  const find = table({ operation: 'chat', form: format })
  return {
    format,
    serves: (channel, model, client) => find(channel, model, client) !== undefined,
    forwards: forwards[format],
    // Nothing is known of the server behind a route, and every one knows `system`.
    knowsDeveloper: ({ settings }) => settings.developer_role === 'keep',
    ...(format === 'messages' && ofMessages),
    address: (_wire, channel, credentials, context) => {
      const route = find(channel, context.model, context.client)
      return callOf(route, channel, credentials, format === 'messages' ? dated(context) : context)
    },
    fail,
  }
}

/** This format is always called by a version. */
function dated(context: AddressContext): AddressContext {
  const headers = { 'anthropic-version': '2023-06-01', ...context.forwarded.headers }
  return { ...context, forwarded: { headers } }
}

function operationAdapter(table: Table, operation: OperationName): SameFormAdapter {
  const find = table({ operation, form: 'same' })
  const address: Adapter['address'] = (_wire, channel, credentials, context) =>
    callOf(find(channel, context.model, context.client), channel, credentials, context)
  return {
    format: 'same',
    serves: (channel, model, client) => find(channel, model, client) !== undefined,
    address,
    ...(operation === 'realtime' && { socket: socketOf(address) }),
    fail,
  }
}

/** The model stands in the query, as clients of this operation write it, unless the route places it. */
function socketOf(address: Adapter['address']): NonNullable<Adapter['socket']> {
  return (channel, credentials, context) => {
    const { url, headers } = address({ kind: 'none' }, channel, credentials, context)
    const { accept: _, 'content-type': __, ...rest } = headers
    return {
      url: withModel(url.replace(/^http/i, 'ws'), context.model),
      headers: rest,
      protocols: [],
    }
  }
}

function withModel(url: string, model: string): string {
  const name = encodeURIComponent(model)
  return url.includes(name) ? url : joined(url, `model=${name}`)
}
