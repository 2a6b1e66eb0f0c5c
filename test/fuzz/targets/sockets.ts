/** Sessions over sockets: whatever either side states, a frame passes, changes or stops, and what is billed are whole counts. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Json } from '../../../kernel/contract/json.js'
import { closeCodes, isOrderly, relayedCode } from '../../../kernel/pipeline/close-codes.js'
import realtime from '../../../plugins/operations/realtime/index.js'
import { assertBillable, assertFailure } from '../assertions.js'
import { type Bytes, bufferOf, bytesIn, mutatedBytes, mutatedJson } from '../mutations.js'
import type { Target } from '../target.js'
import { assertEstimated } from './operations.js'

interface Input {
  /** Frames of the upstream and, where `client`, of the client. */
  readonly frames: readonly { readonly bytes: Bytes; readonly client: boolean }[]
  readonly code: number
}

const events: readonly Json[] = [
  { type: 'response.created', response: { id: 'r' } },
  {
    type: 'response.done',
    response: {
      id: 'r',
      usage: {
        input_tokens: 5,
        output_tokens: 6,
        input_token_details: {
          cached_tokens: 1,
          audio_tokens: 2,
          cached_tokens_details: { audio_tokens: 1 },
        },
      },
      status_details: { error: { message: 'x' } },
    },
  },
  { type: 'response.output_audio.delta', response_id: 'r', delta: 'AAAA' },
  { type: 'response.output_text.delta', response_id: 'r', delta: 'hi' },
  {
    type: 'session.created',
    session: {
      model: 'm',
      audio: { input: { format: { type: 'audio/pcm', rate: 24000 } } },
      tools: [],
    },
  },
  {
    type: 'conversation.item.create',
    item: {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'a' },
        { type: 'input_audio', audio: 'AAAA' },
      ],
    },
  },
  { type: 'response.create', response: { model: 'm', instructions: 'x', conversation: 'none' } },
  { type: 'error', error: { type: 'x', code: 'y', message: 'z' } },
]
const json = mutatedJson(events).map(bytesIn)
const bytes = fc.oneof(json, json, mutatedBytes(events.map((one) => bytesIn(JSON.stringify(one)))))

export const sockets: Target<Input> = {
  name: 'sockets',
  inputs: fc.record({
    frames: fc.array(fc.record({ bytes, client: fc.boolean() }), { minLength: 1, maxLength: 6 }),
    code: fc.integer({ min: 1000, max: 4999 }),
  }),
  check({ frames, code }) {
    const session = realtime().session!({ model: 'm', upstreamModel: 'n' })
    for (const { bytes, client } of frames) {
      const frame = bufferOf(bytes)
      assertFailure(session.refusal(frame))
      const verdict = client ? session.fromClient(frame) : session.fromUpstream(frame)
      assert.ok(!(verdict instanceof Promise), 'what is small is read at once')
      assert.ok(['pass', 'begin', 'stop'].includes(verdict.kind))
      assertBillable(session.usage, session.estimatedTokens)
      assertBillable(session.confirmed, 0)
      assertEstimated(session.ahead())
      session.cancel()
    }
    if (isOrderly(code)) assert.notEqual(relayedCode(code), 1005, 'a code that is never sent')
    assert.ok(isOrderly(closeCodes.normal))
  },
}
