import { chunkFrame } from '../../providers/bedrock-recorded.js'
import { counts, event, type Form, piecesOf, type Said } from './said.js'

const usage = { input_tokens: counts.input, output_tokens: counts.output }
const base = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null }

export const messages: Form = {
  whole: (said) => ({
    ...base,
    content: [
      ...thoughts(said),
      ...(said.text === undefined ? [] : [{ type: 'text', text: said.text }]),
      ...(said.calls ?? []).map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
    ],
    stop_reason: reasonOf(said),
    usage,
  }),
  stream: (said) => eventsOf(said).map((one) => event(one.type, one)),
}

/** As Bedrock frames it: each event by itself, in base64. */
export function inEventStream({ whole }: Form): Form {
  return {
    streamType: 'application/vnd.amazon.eventstream',
    whole,
    stream: (said) => eventsOf(said).map((one) => chunkFrame(JSON.stringify(one))),
  }
}

interface MessageEvent {
  readonly type: string
}

function eventsOf(said: Said): MessageEvent[] {
  const blocks = [
    ...thoughts(said).map(({ thinking, signature }) => ({
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        { type: 'thinking_delta', thinking },
        { type: 'signature_delta', signature },
      ],
    })),
    ...(said.text === undefined
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            deltas: [{ type: 'text_delta', text: said.text }],
          },
        ]),
    ...(said.calls ?? []).map(({ id, name, input }) => ({
      start: { type: 'tool_use', id, name, input: {} },
      deltas: piecesOf(input).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    })),
  ]
  const message = { ...base, content: [], stop_reason: null, usage }
  return [
    { type: 'message_start', message } as MessageEvent,
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: reasonOf(said), stop_sequence: null },
      usage,
    } as MessageEvent,
    { type: 'message_stop' },
  ]
}

function thoughts({ thought }: Said) {
  if (thought === undefined) return []
  return [{ type: 'thinking', thinking: thought, signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h' }]
}

function reasonOf({ calls }: Said): string {
  return calls === undefined ? 'end_turn' : 'tool_use'
}
