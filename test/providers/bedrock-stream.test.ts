/** Bedrock's event streams: frames at every cut, damage, Claude's events as the messages format's own stream. */
import t from 'tap'
import type { Event } from '../../kernel/contract/event.js'
import type { Transform } from '../../kernel/contract/format.js'
import messages from '../../plugins/formats/messages/index.js'
import { unframeClaude } from '../../providers/bedrock/claude/claude-stream.js'
import { EventFrames } from '../../providers/bedrock/frames.js'
import create from '../../providers/bedrock/index.js'
import { cuttings, run } from '../conformance/kit.js'
import { adapterOf } from '../conformance/provider.js'
import { chunkFrame, exceptionFrame, frame, frames, payloads } from './bedrock-recorded.js'

const format = messages()

/** The stream as the messages format's own server-sent events. */
function sse(...pieces: readonly Buffer[]): string {
  return Buffer.concat(run(unframeClaude(), pieces)).toString('utf8')
}

function eventsOf(text: string): Event[] {
  return run(format.decodeStream(), [Buffer.from(text)])
}

/** The smallest frames of the published test vectors (smithy, event stream suite). */
t.test('frames are read as the published vectors have them', async (t) => {
  const empty = Buffer.from('000000100000000005c248eb7d98c8ff', 'hex')
  const json = Buffer.from('0000001d00000000fd528c5a7b27666f6f273a27626172277dc3653936', 'hex')
  const read = new EventFrames().push(Buffer.concat([empty, json]))
  t.same(
    read.map(({ payload }) => payload.toString()),
    ['', "{'foo':'bar'}"],
  )
  const damaged = Buffer.from(json)
  damaged[14]! ^= 1
  const reader = new EventFrames()
  t.equal(reader.push(Buffer.concat([empty, damaged, json])).length, 1, 'what came before counts')
  t.ok(reader.broken)
  t.same(reader.push(json), [])
  const longer = Buffer.from(json)
  longer[2] = 0x10
  const early = new EventFrames()
  early.push(longer.subarray(0, 12))
  t.ok(early.broken, 'a length that was damaged is not waited for')
})

t.test('Claude’s stream is the messages format’s own, whatever the cuts', async (t) => {
  for (const name of ['claude-text', 'claude-tool']) {
    const expected = payloads(name)
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join('')
    const bytes = frames(name)
    for (const { pieces } of cuttings(bytes)) {
      const message = sse(...pieces)
      if (message !== expected) return t.equal(message, expected, name)
    }
    t.equal(sse(bytes), expected, name)
  }
})

t.test(
  'an event with line breaks is written in one line, or ends the stream where it is no JSON',
  async (t) => {
    const event = { type: 'ping', of: 'test' }
    const broken = JSON.stringify(event, null, 2)
    t.equal(sse(chunkFrame(broken)), `event: ping\ndata: ${JSON.stringify(event)}\n\n`)
    const failed = sse(chunkFrame('{"type":"ping",\n'), chunkFrame('{"type":"ping"}'))
    t.match(failed, /^event: error\ndata: .*"api_error".*cannot be read/)
    t.notMatch(failed, /event: ping/)
  },
)

t.test('a verbatim client’s watch sees the same counts as the decoder', async (t) => {
  const watch = format.watch({ wantsUsage: true })
  const text = sse(frames('claude-tool'))
  t.equal(watch.push(Buffer.from(text)).toString(), text, 'every byte passes')
  t.ok(watch.ended)
  t.same(watch.usage, { input: 310, cacheRead: 40, cacheWrite5m: 120, output: 37 })
})

t.test('an exception is a failure with the blame it has', async (t) => {
  const rows = [
    ['throttlingException', 'Too many tokens', { blame: 'channel', status: 429 }],
    ['validationException', 'max_tokens: too many', { blame: 'client', status: 400 }],
    [
      'validationException',
      'The provided model identifier is invalid.',
      { blame: 'channel', status: 403 },
    ],
    ['modelStreamErrorException', 'x', { blame: 'upstream', status: 500 }],
    ['internalServerException', 'x', { blame: 'upstream', status: 500 }],
    ['serviceUnavailableException', 'x', { blame: 'upstream', status: 529 }],
    ['modelTimeoutException', 'x', { blame: 'upstream', status: 504 }],
    ['somethingNewException', 'x', { blame: 'upstream', status: 500 }],
  ] as const
  for (const [name, message, failure] of rows) {
    const [event, ...rest] = eventsOf(sse(exceptionFrame(name, { message })))
    t.match(event, { type: 'failure', failure }, name)
    t.equal(rest.length, 0)
  }
  const late = eventsOf(sse(frames('claude-broken-late')))
  t.equal(late.at(-1)?.type, 'failure')
  t.ok(late.some(({ type }) => type === 'delta'))
  const headers = { ':message-type': 'error', ':error-code': '500', ':error-message': 'x' }
  t.match(eventsOf(sse(frame(headers, ''))), [{ type: 'failure', failure: { status: 500 } }])
})

t.test('an error of Claude’s own in a chunk is reported as it is', async (t) => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  t.match(eventsOf(sse(chunkFrame(error))), [{ type: 'failure', failure: { status: 529 } }])
})

t.test('nothing is believed of a damaged stream', async (t) => {
  const bytes = frames('claude-text')
  for (const at of [0, 5, 9, 40, bytes.length - 2]) {
    const damaged = Buffer.from(bytes)
    damaged[at]! ^= 0x10
    const events = eventsOf(sse(damaged))
    t.equal(events.filter(({ type }) => type === 'end').length, 0, `byte ${at}`)
    t.match(events.at(-1), { type: 'failure', failure: { blame: 'upstream' } }, `byte ${at}`)
  }
  const endless = Buffer.from(bytes)
  endless.writeUInt32BE(0x7fffffff, 0)
  t.match(eventsOf(sse(endless)).at(-1), { type: 'failure' })
})

t.test('a stream that breaks off has no end', async (t) => {
  const bytes = frames('claude-text')
  const events = eventsOf(sse(bytes.subarray(0, bytes.length - 1)))
  t.equal(events.filter(({ type }) => type === 'end').length, 0)
})

t.test('unusual chunks are reported on one line, senseless ones as an error', async (t) => {
  const pretty = JSON.stringify({ index: 0, type: 'content_block_stop' }, undefined, 2)
  t.equal(
    sse(chunkFrame(pretty)),
    'event: content_block_stop\ndata: {"index":0,"type":"content_block_stop"}\n\n',
  )
  for (const senseless of ['[]', 'null', '{"no":"type"}', '{']) {
    t.match(eventsOf(sse(chunkFrame(senseless))), [{ type: 'failure' }], senseless)
  }
  const other = frame({ ':message-type': 'event', ':event-type': 'new-kind' }, '{}')
  t.equal(sse(other), '')
})

t.test('a Converse stream tells exceptions and damage as failures', async (t) => {
  const read = () => adapterOf(create(), 'chat', 'own').read!()
  const at = (bytes: Buffer): Event[] => run(read() as Transform<Buffer, Event>, [bytes])
  const thrown = (name: string, message = 'x') => at(exceptionFrame(name, { message }))
  t.match(thrown('throttlingException'), [{ failure: { blame: 'channel', status: 429 } }])
  t.match(thrown('validationException', 'messages: bad'), [
    { failure: { blame: 'client', status: 400, param: 'messages' } },
  ])
  t.match(thrown('modelStreamErrorException'), [{ failure: { blame: 'upstream', status: 424 } }])
  t.match(thrown('serviceUnavailableException'), [{ failure: { blame: 'upstream', status: 503 } }])
  const damaged = frames('converse-text')
  damaged[3]! ^= 1
  t.match(at(damaged), [{ type: 'failure', failure: { blame: 'upstream' } }])
  const cut = frames('converse-text')
  t.notOk(at(cut.subarray(0, 300)).some(({ type }) => type === 'end'))
  t.match(at(Buffer.from('{"message":"x"}')), [{ type: 'failure', failure: { status: 200 } }])
  t.match(at(Buffer.from('{"output"')), [{ type: 'failure' }])
})
