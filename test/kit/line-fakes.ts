/** Records and a minimal format for tests of the line: `data: x` frames, `data: [DONE]` ends, `usage:N` reports. */
import type { Opened, Planned, Reserved } from '../../kernel/contract/exchange.js'
import type { Failure } from '../../kernel/contract/failure.js'
import type { Format, StreamWatch } from '../../kernel/contract/format.js'
import { FakeHold, FakeSink, FakeSource, requestId, tokenPrice } from './fakes.js'

class LineWatch implements StreamWatch {
  started = false
  ended = false
  failure: Failure | undefined
  usage: StreamWatch['usage']
  raw: StreamWatch['raw']
  units = 0

  push(chunk: Buffer): Buffer {
    const text = chunk.toString('utf8')
    for (const line of text.split('\n')) {
      if (line.startsWith('data: [DONE]')) this.ended = true
      else if (line.startsWith('data: usage:'))
        this.usage = { input: 10, output: Number(line.slice(12)) }
      else if (line.startsWith('data: error')) this.failure = brokenUpstream
      else if (line.startsWith('data: ')) {
        this.started = true
        this.units += line.length - 6
      }
    }
    return this.failure === undefined ? chunk : Buffer.alloc(0)
  }

  flush(): Buffer {
    return Buffer.alloc(0)
  }
}

export const brokenUpstream: Failure = {
  blame: 'upstream',
  status: 500,
  code: 'upstream_error',
  message: 'The upstream failed: it said so.',
}

/** Only what the line itself calls; a test that needs more uses a real format. */
export const lineFormat = {
  name: 'chat',
  watch: () => new LineWatch(),
  encodeError: (error) => ({ status: error.status, body: { error: { ...error, status: '' } } }),
  encodeStreamError: (error) => Buffer.from(`data: failed ${error.code}\n\n`),
} as Partial<Format> as Format

export function planned(over: Partial<Planned> = {}): Planned {
  return {
    requestId,
    receivedAt: 0,
    operation: 'chat',
    format: lineFormat,
    path: '/v1/chat/completions',
    body: { kind: 'json', value: { model: 'test-model' } },
    client: { headers: {}, query: {}, address: '127.0.0.1' },
    credential: { kind: 'key', key: 'sk-test' },
    sink: new FakeSink(),
    user: { id: 1, username: 'ada', role: 1, group: 'default', walletId: 1 },
    model: 'test-model',
    stream: true,
    wantsUsage: false,
    call: () => {
      throw new Error('not decoded in this test')
    },
    route: { groups: ['default'] },
    prices: { version: '1', price: () => tokenPrice },
    hold: new FakeHold(1_000_000n),
    ...over,
  }
}

export function channel(id: number): Reserved['channel'] {
  return {
    id,
    type: 1,
    name: `channel ${id}`,
    baseUrl: 'https://upstream.example',
    settings: {},
    groups: ['default'],
    models: new Set(['test-model']),
    priority: 0,
    weight: 0,
    modelMapping: {},
    paramOverride: {},
    statusCodeMapping: {},
    onClientGone: 'drain',
    keys: ['upstream-key'],
  }
}

export function opened(over: Partial<Opened> = {}): Opened & { readonly source: FakeSource } {
  const source = new FakeSource()
  return {
    ...planned(),
    number: 1,
    excluded: new Set<number>(),
    position: 0,
    channel: channel(1),
    key: 'upstream-key',
    group: 'default',
    adapter: {
      format: 'chat',
      address: () => ({ method: 'POST', url: '', headers: {} }),
      fail: () => brokenUpstream,
    },
    upstreamModel: 'test-model',
    upstreamFormat: lineFormat,
    verbatim: true,
    wire: { kind: 'json', value: {} },
    lost: [],
    limits: {},
    estimate: { input: 10 },
    price: tokenPrice,
    draft: {
      username: 'ada',
      tokenName: 'test',
      model: 'test-model',
      upstreamModel: 'test-model',
      group: 'default',
      channelId: 1,
      channelName: 'channel 1',
      isStream: true,
      address: '127.0.0.1',
    },
    firstMs: 1,
    reply: {
      kind: 'events',
      status: 200,
      headers: {},
      source,
      mode: { kind: 'verbatim', watch: lineFormat.watch({ wantsUsage: false }), head: [] },
    },
    ...over,
    source,
  }
}
