import type { Recorded } from '../upstream.js'
import { isRecord, listIn } from '../vendor.js'
import { counts, event, type Form, type Said, type SaidCall } from './said.js'

type Item = Readonly<Record<string, unknown>>

export const responses: Form = {
  whole: (said, request) => response('completed', itemsOf(said, request)),
  stream(said, request) {
    const items = itemsOf(said, request)
    const events = [
      { type: 'response.created', response: response('in_progress', []) },
      ...items.flatMap(eventsOf),
      { type: 'response.completed', response: response('completed', items) },
    ]
    return events.map((one, sequence_number) => event(one.type, { ...one, sequence_number }))
  },
}

/** As the code assistant's service ends a stream: the items were told, and its last event has none. */
export function repeatingNothing(form: Form): Form {
  return {
    ...form,
    stream(said, request) {
      const events = form.stream(said, request)
      const last = { type: 'response.completed', response: response('completed', []) }
      return [...events.slice(0, -1), event(last.type, { ...last, sequence_number: events.length })]
    },
  }
}

function response(status: string, output: readonly Item[]) {
  return {
    ...{ id: 'resp_1', object: 'response', created_at: 1_700_000_000, status, model: 'm', output },
    usage:
      status !== 'completed'
        ? null
        : {
            input_tokens: counts.input,
            input_tokens_details: { cached_tokens: 0 },
            output_tokens: counts.output,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: counts.input + counts.output,
          },
  }
}

function itemsOf({ thought, text, calls = [] }: Said, request: Recorded): readonly Item[] {
  const functions = new Set(listIn(request.json, 'tools').map(({ name }) => name))
  return [
    ...(thought === undefined
      ? []
      : [
          {
            ...{ type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAAAABone' },
            summary: [{ type: 'summary_text', text: thought }],
          },
        ]),
    ...(text === undefined
      ? []
      : [
          {
            ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
            content: [{ type: 'output_text', text, annotations: [] }],
          },
        ]),
    ...calls.map((call, at) => itemOf(call, at, functions)),
  ]
}

/** As the tool was offered: a function under the name the upstream knows, or what the agent's own format has for it. */
function itemOf({ id, name, input, own }: SaidCall, at: number, names: Set<unknown>): Item {
  if (own !== undefined && (!names.has(name) || own.type === 'custom_tool_call')) {
    return { id: `it_${at}`, call_id: id, status: 'completed', ...own }
  }
  const call = { type: 'function_call', name, arguments: JSON.stringify(input) }
  return { id: `fc_${at}`, call_id: id, status: 'completed', ...call }
}

function eventsOf(item: Item, output_index: number) {
  const begun = {
    ...item,
    ...(isRecord(item) && 'arguments' in item && { arguments: item.arguments }),
  }
  return [
    { type: 'response.output_item.added', output_index, item: { ...begun, status: 'in_progress' } },
    ...deltasOf(item, output_index),
    { type: 'response.output_item.done', output_index, item },
  ]
}

function deltasOf(item: Item, output_index: number) {
  const place = { item_id: item.id, output_index }
  if (item.type === 'function_call') {
    const { arguments: json } = item
    return [
      { type: 'response.function_call_arguments.delta', ...place, delta: json },
      { type: 'response.function_call_arguments.done', ...place, arguments: json },
    ]
  }
  if (item.type === 'reasoning') {
    const [{ text }] = item.summary as [{ text: string }]
    const at = { ...place, summary_index: 0 }
    return [{ type: 'response.reasoning_summary_text.delta', ...at, delta: text }]
  }
  if (item.type !== 'message') return []
  const [{ text }] = item.content as [{ text: string }]
  const at = { ...place, content_index: 0 }
  return [{ type: 'response.output_text.delta', ...at, delta: text }]
}
