/** Bodies of requests no author thinks of: of other kinds, with members of other types, deep and large. */
import type { Body } from '../../kernel/contract/body.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'

const json = (value: JsonObject): Body => ({ kind: 'json', value })

function nested(depth: number): Json {
  let value: Json = 'in the middle'
  for (let at = 0; at < depth; at += 1) value = [value]
  return value
}

const model = 'gpt-conformance'

export const oddBodies: Readonly<Record<string, Body>> = {
  'no body': { kind: 'none' },
  'an empty object': json({}),
  'messages that are no list': json({ model, messages: 'hello' }),
  'messages that are null': json({ model, messages: null }),
  'messages of everything but messages': json({ model, messages: [null, 1, 'two', [], {}] }),
  'contents of every type': json({
    model,
    messages: [null, 1, true, [], [null], [{ type: 'text' }], {}].map((content) => ({
      role: 'user',
      content,
    })),
  }),
  'an input in place of messages': json({ model, input: ['one', [1, 2], { text: null }] }),
  'a body 60 levels deep': json({ model, messages: [{ role: 'user', content: nested(60) }] }),
  'half a megabyte of text': json({
    model,
    messages: [{ role: 'user', content: 'a b'.repeat(175_000) }],
  }),
  'a form with a file': {
    kind: 'form',
    fields: { model, prompt: 'hello' },
    files: [
      { field: 'image', filename: 'a.png', mime: 'image/png', bytes: Buffer.from([137, 80, 0]) },
    ],
  },
}
