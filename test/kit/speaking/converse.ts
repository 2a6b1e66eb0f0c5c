import { frame } from '../../providers/bedrock-recorded.js'
import type { Recorded } from '../upstream.js'
import { counts, type Form, piecesOf, type Said } from './said.js'

const usage = {
  inputTokens: counts.input,
  outputTokens: counts.output,
  totalTokens: counts.input + counts.output,
}

export const converse: Form = {
  streamType: 'application/vnd.amazon.eventstream',
  whole(asked, request) {
    const said = ordered(asked, request)
    return {
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
    }
  },
  stream: (said, request) => [
    framed('messageStart', { role: 'assistant' }),
    ...blocksOf(ordered(said, request)).flatMap(({ start, deltas }, contentBlockIndex) => [
      ...(start === undefined ? [] : [framed('contentBlockStart', { contentBlockIndex, start })]),
      ...deltas.map((delta) => framed('contentBlockDelta', { contentBlockIndex, delta })),
      framed('contentBlockStop', { contentBlockIndex }),
    ]),
    framed('messageStop', { stopReason: reasonOf(ordered(said, request)) }),
    framed('metadata', { usage, metrics: { latencyMs: 1 } }),
  ],
}

/** A model that must call one tool calls it, and says nothing beside. */
function ordered(said: Said, { json }: Recorded): Said {
  const { toolConfig } = json as {
    readonly toolConfig?: { readonly toolChoice?: { readonly tool?: { readonly name: string } } }
  }
  const name = toolConfig?.toolChoice?.tool?.name
  if (name === undefined || said.text === undefined || said.calls !== undefined) return said
  return { calls: [{ id: 'tooluse_answer', name, input: JSON.parse(said.text) }] }
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
