import { frame } from '../../providers/bedrock-recorded.js'
import { counts, type Form, piecesOf, type Said } from './said.js'

const usage = {
  inputTokens: counts.input,
  outputTokens: counts.output,
  totalTokens: counts.input + counts.output,
}

export const converse: Form = {
  streamType: 'application/vnd.amazon.eventstream',
  whole: (said) => ({
    output: {
      message: {
        role: 'assistant',
        content: [
          ...(said.text === undefined ? [] : [{ text: said.text }]),
          ...(said.calls ?? []).map(({ id, name, input }) => ({
            toolUse: { toolUseId: id, name, input },
          })),
        ],
      },
    },
    stopReason: reasonOf(said),
    usage,
    metrics: { latencyMs: 1 },
  }),
  stream: (said) => [
    framed('messageStart', { role: 'assistant' }),
    ...blocksOf(said).flatMap(({ start, deltas }, contentBlockIndex) => [
      ...(start === undefined ? [] : [framed('contentBlockStart', { contentBlockIndex, start })]),
      ...deltas.map((delta) => framed('contentBlockDelta', { contentBlockIndex, delta })),
      framed('contentBlockStop', { contentBlockIndex }),
    ]),
    framed('messageStop', { stopReason: reasonOf(said) }),
    framed('metadata', { usage, metrics: { latencyMs: 1 } }),
  ],
}

interface Block {
  readonly start?: object
  readonly deltas: readonly object[]
}

function blocksOf({ text, calls = [] }: Said): readonly Block[] {
  return [
    ...(text === undefined ? [] : [{ deltas: [{ text }] }]),
    ...calls.map(({ id, name, input }) => ({
      start: { toolUse: { toolUseId: id, name } },
      deltas: piecesOf(input).map((piece) => ({ toolUse: { input: piece } })),
    })),
  ]
}

function framed(name: string, payload: object): Buffer {
  const headers = { ':event-type': name, ':content-type': 'application/json' }
  return frame({ ...headers, ':message-type': 'event' }, JSON.stringify(payload))
}

function reasonOf({ calls }: Said): string {
  return calls === undefined ? 'end_turn' : 'tool_use'
}
