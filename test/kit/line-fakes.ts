/** Records and a minimal format for tests of the line: `data: x` frames, `data: [DONE]` ends, `usage:N` reports. */

import type { Failure } from '../../kernel/contract/failure.js'
import type { Format, StreamWatch } from '../../kernel/contract/format.js'
import type { Channel, Claim } from '../../kernel/contract/line/channel.js'
import type { Opened, Planned } from '../../kernel/contract/line/record.js'
import { FakeHold, FakeSink, FakeSource, requestId, tokenPrice } from './fakes.js'

class LineWatch implements StreamWatch {
  started = false
  ended = false
  failure: Failure | undefined
  usage: StreamWatch['usage']
  raw: StreamWatch['raw']
  estimatedTokens = 0

  push(chunk: Buffer): Buffer {
    const text = chunk.toString('utf8')
    for (const line of text.split('\n')) {
      if (line.startsWith('data: [DONE]')) this.ended = true
      else if (line.startsWith('data: usage:'))
        this.usage = { input: 10, output: Number(line.slice(12)) }
      else if (line.startsWith('data: error')) this.failure = brokenUpstream
      else if (line.startsWith('data: ')) {
        this.started = true
        this.estimatedTokens += line.length - 6
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
    route: { groups: ['default'], crossGroup: false },
    prices: { version: '1', price: () => tokenPrice },
    hold: new FakeHold(1_000_000n),
    ...over,
  }
}

/** An enabled channel of the group `default` that serves `test-model` with one key, whose row has the channel's id. */
export function channel(id: number, over: Partial<Channel> = {}): Channel {
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
    headerOverride: {},
    statusCodeMapping: {},
    onClientGone: 'drain',
    keys: [{ id, text: 'upstream-key', enabled: true }],
    keyMode: 'random',
    enabled: true,
    autoBan: true,
    overrideSystemPrompt: false,
    passThroughBody: false,
    ...over,
  }
}

/** Remembers how the round of its try ended. */
export class FakeClaim implements Claim {
  readonly ends: (Failure | undefined)[] = []

  ended(failure?: Failure): void {
    this.ends.push(failure)
  }
}

export function opened(over: Partial<Opened> = {}): Opened & { readonly source: FakeSource } {
  const source = new FakeSource()
  return {
    ...planned(),
    number: 1,
    tried: [],
    channel: channel(1),
    key: 'upstream-key',
    keyId: 1,
    group: 'default',
    position: 0,
    claim: new FakeClaim(),
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
    heldOutput: 490,
    settleFirst: false,
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
