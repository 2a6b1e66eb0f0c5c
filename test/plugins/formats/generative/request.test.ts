/** Generative requests: what the address states, what a call of another format becomes, what billing reads. */
import t from 'tap'
import type { Call, Part, Turn } from '../../../../kernel/contract/call.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { estimateTokens } from '../../../../kernel/toolkit/format/token-estimate.js'
import { format, hints } from './wire.js'

const least: JsonObject = { contents: [{ parts: [{ text: 'Hello' }] }] }

const plain: Call = {
  model: 'gemini-3-flash',
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [],
  stream: false,
  wantsUsage: false,
  sampling: {},
}

const text = (words: string): Part => ({ kind: 'text', text: words })
const user = (...parts: Part[]): Turn => ({ role: 'user', parts })
const model = (...parts: Part[]): Turn => ({ role: 'assistant', parts })
const call = (id: string, input = '{}', more: object = {}): Part => ({
  kind: 'toolCall',
  id,
  name: `do_${id}`,
  input,
  ...more,
})
const result = (callId: string, ...parts: Part[]): Turn => ({
  role: 'tool',
  parts: [{ kind: 'toolResult', callId, parts }],
})

function contents(turns: readonly Turn[], model = 'gemini-3-flash'): JsonObject[] {
  return format.encodeRequest({ ...plain, model, turns }).contents as JsonObject[]
}

t.test('[FMT-8] model and stream are what the address states', async (t) => {
  t.strictSame(format.check(least, hints), {
    model: 'gemini-3-flash',
    stream: true,
    wantsUsage: true,
  })
  t.match(format.check(least, { model: 'm', stream: false }), { model: 'm', stream: false })
  t.match(format.decodeRequest({ ...least, model: 'models/other' }, hints), {
    model: 'gemini-3-flash',
    stream: true,
    only: undefined,
  })
  const wire = format.encodeRequest(format.decodeRequest(least, hints))
  t.notOk('model' in wire || 'stream' in wire)
  t.equal(format.modelIn, 'address')
  t.equal(format.requestUsage(wire), wire)
})

t.test('[FMT-8] a model that is missing or leads elsewhere is refused', async (t) => {
  const names = [undefined, '', '../x', 'a//b', 'a?b', 'a\u0000', 'a\u202e', 'x'.repeat(257)]
  for (const name of names) {
    const address = name === undefined ? undefined : { model: name, stream: false }
    t.throws(() => format.check(least, address), { message: /^model / }, JSON.stringify(name))
  }
  format.check(least, { model: 'tuned/model-1.5:latest', stream: false })
})

t.test('anything decodes to a call', async (t) => {
  const values = [null, 0, '', false, [], {}, [null], [[]], [{}], 'x', -1]
  const fields = ['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig']
  const parts = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse', 'thought']
  const configs = ['thinkingConfig', 'stopSequences', 'responseSchema', 'temperature']
  const bodies: JsonObject[] = [
    ...fields.flatMap((field) => values.map((value) => ({ [field]: value }))),
    ...parts.flatMap((field) =>
      values.map((value) => ({ contents: [{ role: 'model', parts: [{ [field]: value }] }] })),
    ),
    ...configs.flatMap((field) =>
      values.map((value) => ({ generationConfig: { [field]: value } })),
    ),
    ...values.map((value) => ({ toolConfig: { functionCallingConfig: value } })),
    ...values.map((value) => ({ tools: [{ functionDeclarations: value }] })),
  ]
  let stable = 0
  for (const body of bodies) {
    const decoded = format.decodeRequest(body, hints)
    const again = format.decodeRequest(format.encodeRequest(decoded), hints)
    if (
      JSON.stringify(format.encodeRequest(again)) === JSON.stringify(format.encodeRequest(decoded))
    )
      stable += 1
  }
  t.equal(stable, bodies.length, 'and written twice it states the same')
})

t.test('results find their calls by name and order where ids are missing', async (t) => {
  const body = {
    contents: [
      { role: 'user', parts: [{ text: 'Go.' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'a', args: { n: 1 } } },
          { functionCall: { name: 'b', id: 'fc_b' } },
          { functionCall: { name: 'a', args: { n: 2 } } },
        ],
      },
      {
        parts: [
          { functionResponse: { name: 'a', response: { output: 'one' } } },
          { functionResponse: { name: 'a', response: { output: 'two' } } },
          { functionResponse: { name: 'b', response: { output: 'b' } } },
          { functionResponse: { name: 'c', response: {} } },
        ],
      },
    ],
  }
  const { turns } = format.decodeRequest(body, hints)
  const ids = turns[1]?.parts.map((part) => (part.kind === 'toolCall' ? part.id : ''))
  const answers = turns[2]?.parts.map((part) => (part.kind === 'toolResult' ? part.callId : ''))
  t.equal(turns[2]?.role, 'tool')
  t.strictSame(answers?.slice(0, 3), [ids?.[0], ids?.[2], 'fc_b'])
  t.equal(new Set([...(ids ?? []), answers?.[3]]).size, 4)
  t.strictSame(format.decodeRequest(body, hints).turns, turns, 'always the same ids')
})

t.test('what a tool answered keeps its meaning and comes back as it was', async (t) => {
  const rows: readonly (readonly [JsonObject, string, boolean?])[] = [
    [{ output: 'Seen.' }, 'Seen.'],
    [{ error: 'No.' }, 'No.', true],
    [{ result: { a: [1] } }, '{"a":[1]}'],
    [{ output: 'x', more: 1 }, '{"output":"x","more":1}'],
    [{ output: '{"a":1}' }, '{"a":1}'],
    [{ output: { a: 1 } }, '{"a":1}'],
    [{ error: { code: 1 } }, '{"error":{"code":1}}'],
    [{}, '{}'],
  ]
  for (const [response, words, failed] of rows) {
    const body = { contents: [{ parts: [{ functionResponse: { name: 'a', response } }] }] }
    const decoded = format.decodeRequest(body, hints)
    t.match(decoded.turns[0]?.parts, [{ parts: [{ kind: 'text', text: words }], failed }])
    t.match(format.encodeRequest(decoded), body, JSON.stringify(response))
  }
})

t.test('text of a result that is an object goes out as one, without losing digits', async (t) => {
  const rows: readonly (readonly [string, JsonObject])[] = [
    ['Seen.', { output: 'Seen.' }],
    ['{"a": 1}', { a: 1 }],
    ['[1]', { output: '[1]' }],
    ['{"torn', { output: '{"torn' }],
    ['', { output: '' }],
    ['{"id": 12345678901234567890}', { output: '{"id": 12345678901234567890}' }],
  ]
  for (const [words, response] of rows) {
    const turns = [user(text('Go.')), model(call('a')), result('a', text(words))]
    t.match(contents(turns)[2], { parts: [{ functionResponse: { response } }] }, words)
  }
})

t.test(
  'results follow their calls, in their order and apart from what the user states',
  async (t) => {
    const turns = [
      user(text('Go.')),
      model(text('Both.'), call('x', '{"n":1}'), call('y')),
      user(text('Hurry.')),
      result('y', text('Y')),
      result('x', text('X')),
      user(text('Now?')),
      user(text('Well?')),
      model(text('Done')),
      model(text('.')),
    ]
    t.strictSame(contents(turns, 'gemini-2.5-flash'), [
      { parts: [{ text: 'Go.' }], role: 'user' },
      {
        parts: [
          { text: 'Both.' },
          { functionCall: { id: 'x', name: 'do_x', args: { n: 1 } } },
          { functionCall: { id: 'y', name: 'do_y', args: {} } },
        ],
        role: 'model',
      },
      {
        parts: [
          { functionResponse: { id: 'x', name: 'do_x', response: { output: 'X' } } },
          { functionResponse: { id: 'y', name: 'do_y', response: { output: 'Y' } } },
        ],
        role: 'user',
      },
      { parts: [{ text: 'Hurry.' }, { text: 'Now?' }, { text: 'Well?' }], role: 'user' },
      { parts: [{ text: 'Done' }, { text: '.' }], role: 'model' },
    ])
  },
)

t.test('images of a result stand inside it from the third generation on', async (t) => {
  const png: Part = {
    kind: 'media',
    type: 'image',
    source: { base64: 'aGk=', mime: 'image/png' },
  }
  const turns = [user(text('Go.')), model(call('a')), result('a', text('Seen.'), png)]
  const inlineData = { mimeType: 'image/png', data: 'aGk=' }
  const response = { id: 'a', name: 'do_a', response: { output: 'Seen.' } }
  for (const name of ['gemini-3-pro', 'gemini-4-x', 'google/gemini-3.8-flash', 'my-alias']) {
    t.strictSame(
      contents(turns, name)[2]?.parts,
      [{ functionResponse: { ...response, parts: [{ inlineData }] } }],
      name,
    )
  }
  t.strictSame(contents(turns, 'gemini-2.5-pro')[2]?.parts, [
    { functionResponse: response },
    { inlineData },
  ])
})

t.test('a call of another issuer goes out with the documented placeholder', async (t) => {
  const signatures = (turns: readonly Turn[], name?: string) =>
    contents(turns, name).flatMap(({ parts }) =>
      (parts as JsonObject[])
        .filter(({ functionCall }) => functionCall !== undefined)
        .map(({ thoughtSignature }) => thoughtSignature),
    )
  const skip = 'skip_thought_signature_validator'
  const own = { seal: { by: 'generative', value: 'sig' } }
  const foreign = { seal: { by: 'chat', value: 'sig' } }
  const steps = [
    user(text('Go.')),
    model(call('a'), call('b')),
    result('a'),
    model(call('c', '{}', foreign)),
  ]
  t.strictSame(signatures(steps), [skip, undefined, skip], 'the first of each step')
  t.strictSame(signatures([user(text('Go.')), model(call('a', '{}', own), call('b'))]), [
    'sig',
    undefined,
  ])
  t.strictSame(signatures(steps, 'gemini-2.5-pro'), [undefined, undefined, undefined])
  const body = { contents: [{ role: 'model', parts: [{ functionCall: { name: 'a', args: {} } }] }] }
  t.strictSame(format.encodeRequest(format.decodeRequest(body, hints)), body, 'not to its own')
})

t.test('instructions stand beside the conversation, wherever they were', async (t) => {
  const turns: Turn[] = [
    { role: 'system', parts: [text('Be brief.')] },
    user(text('Hi')),
    { role: 'developer', parts: [text('Hurry.')] },
  ]
  t.strictSame(format.encodeRequest({ ...plain, turns }), {
    systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Hurry.' }] },
    contents: [{ parts: [{ text: 'Hi' }], role: 'user' }],
  })
})

t.test('the user speaks first, and empty words are left out', async (t) => {
  const filler = { parts: [{ text: 'Continue.' }], role: 'user' }
  t.strictSame(contents([model(text('Hi'))]), [filler, { parts: [{ text: 'Hi' }], role: 'model' }])
  t.strictSame(contents([{ role: 'system', parts: [text('Be brief.')] }]), [filler])
  t.strictSame(contents([user(text('')), user(text('Hi'), text(''))]), [
    { parts: [{ text: 'Hi' }], role: 'user' },
  ])
})

t.test('media by address and by their bytes', async (t) => {
  const media = (type: 'image' | 'file' | 'video', source: object): JsonObject[] => {
    const part = { kind: 'media', type, source, name: 'a.png' } as Part
    return contents([user(part)])[0]?.parts as JsonObject[]
  }
  t.strictSame(media('image', { url: 'https://example.com/a.JPG?x=1' }), [
    { fileData: { fileUri: 'https://example.com/a.JPG?x=1', mimeType: 'image/jpeg' } },
  ])
  t.strictSame(media('image', { url: 'https://example.com/a' }), [
    { fileData: { fileUri: 'https://example.com/a' } },
  ])
  t.strictSame(media('video', { url: 'https://youtu.be/x' }), [
    { fileData: { fileUri: 'https://youtu.be/x', mimeType: 'video/mp4' } },
  ])
  t.strictSame(media('file', { base64: 'aGk=', mime: 'application/pdf' }), [
    { inlineData: { mimeType: 'application/pdf', data: 'aGk=' } },
  ])
})

t.test('files of the service are distinguished from what anybody can fetch', async (t) => {
  const decoded = (fileUri: string, mimeType?: string) => {
    const fileData = mimeType === undefined ? { fileUri } : { fileUri, mimeType }
    const [turn] = format.decodeRequest({ contents: [{ parts: [{ fileData }] }] }, hints).turns
    return turn?.parts[0]
  }
  const own = 'https://generativelanguage.googleapis.com/v1beta/files/abc'
  t.match(decoded(own, 'image/png'), { type: 'image', source: { id: own, of: 'generative' } })
  t.match(decoded('gs://bucket/a.mp4'), { type: 'video', source: { id: 'gs://bucket/a.mp4' } })
  t.match(decoded('https://example.com/a.wav'), {
    type: 'audio',
    source: { url: 'https://example.com/a.wav' },
  })
  t.match(decoded('https://www.youtube.com/watch?v=x'), { type: 'video' })
  t.match(decoded('https://example.com/a'), { type: 'file' })
})

t.test('reasoning is a level or a budget, as the model knows it', async (t) => {
  const on = { includeThoughts: true }
  const rows: readonly (readonly [Call['reasoning'], string, JsonObject | undefined, string[]])[] =
    [
      [undefined, 'gemini-3-pro', undefined, []],
      [{ effort: 'low' }, 'gemini-3-pro', { thinkingLevel: 'LOW', ...on }, []],
      [{ effort: 'medium' }, 'my-alias', { thinkingLevel: 'MEDIUM', ...on }, []],
      [{ effort: 'high' }, 'gemini-4-x', { thinkingLevel: 'HIGH', ...on }, []],
      [{ effort: 'max' }, 'gemini-3-pro', { thinkingLevel: 'HIGH', ...on }, ['reasoning.effort']],
      [
        { effort: 'minimal' },
        'gemini-3-pro',
        { thinkingLevel: 'LOW', ...on },
        ['reasoning.effort'],
      ],
      [{ effort: 'low' }, 'gemini-2.5-pro', { thinkingBudget: 1024, ...on }, []],
      [{ effort: 'medium' }, 'gemini-2.5-pro', { thinkingBudget: 8192, ...on }, []],
      [{ effort: 'high' }, 'gemini-2.5-pro', { thinkingBudget: 24_576, ...on }, []],
      [{ effort: 'low', budget: 5000 }, 'gemini-3-pro', { thinkingBudget: 5000, ...on }, []],
      [
        { budget: 31_999 },
        'gemini-2.5-pro',
        { thinkingBudget: 24_576, ...on },
        ['reasoning.budget'],
      ],
      [{ off: true }, 'gemini-2.5-flash', { thinkingBudget: 0 }, []],
      [{ effort: 'none', off: true }, 'gemini-2.5-flash', { thinkingBudget: 0 }, []],
      [{ off: true }, 'gemini-3-flash', { thinkingLevel: 'LOW' }, ['reasoning.off']],
      [{ summary: 'auto' }, 'gemini-3-pro', on, []],
      [{ on: true }, 'gemini-3-pro', on, []],
      [{ on: true }, 'gemini-2.5-pro', { thinkingBudget: -1, ...on }, []],
    ]
  for (const [reasoning, model, thinkingConfig, report] of rows) {
    const request: Call = { ...plain, model, ...(reasoning && { reasoning }) }
    const { generationConfig } = format.encodeRequest(request)
    const name = `${JSON.stringify(reasoning)} for ${model}`
    t.strictSame(generationConfig, thinkingConfig && { thinkingConfig }, name)
    t.strictSame(format.unsupportedFields(request), { refuse: [], report }, name)
  }
})

t.test('schemas of other formats go out as they are', async (t) => {
  const schema = { $schema: 'x', type: 'object', additionalProperties: false, $defs: { a: {} } }
  const wire = format.encodeRequest({
    ...plain,
    tools: [
      { kind: 'function', name: 'a', description: 'A.', schema, strict: false },
      { kind: 'function', name: 'b' },
    ],
    toolChoice: { kind: 'named', name: 'b' },
    output: { kind: 'schema', description: 'An answer.', schema, strict: true },
    modalities: ['text', 'image'],
  })
  t.match(wire, {
    tools: [
      {
        functionDeclarations: [
          { name: 'a', description: 'A.', parametersJsonSchema: schema },
          { name: 'b' },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['b'] } },
    generationConfig: {
      responseMimeType: 'application/json',
      responseJsonSchema: { description: 'An answer.', ...schema },
      responseModalities: ['TEXT', 'IMAGE'],
    },
  })
  const alone = format.encodeRequest({ ...plain, toolChoice: { kind: 'none' } })
  t.notOk('toolConfig' in alone, 'without tools there is nothing to choose')
})

t.test('what billing reads, in either spelling', async (t) => {
  t.strictSame(format.limits(least), {})
  const config = { maxOutputTokens: 100, candidateCount: 2 }
  t.strictSame(format.limits({ generationConfig: config }), { maxOutput: 100, choices: 2 })
  const snake = { max_output_tokens: 0, candidate_count: 1 }
  t.strictSame(format.limits({ generation_config: snake }), { maxOutput: 0, choices: 1 })
  t.strictSame(format.limits({ generationConfig: { maxOutputTokens: -1 } }), {})
})

t.test('a prompt is estimated by its texts and fixed figures for media', async (t) => {
  const words = 'The quick brown fox jumps over the lazy dog. '.repeat(20)
  const only = (part: JsonObject) => format.estimate({ contents: [{ parts: [part] }] })
  const around = (format.estimate({ contents: [{ parts: [] }] }).input ?? 0) as number
  t.strictSame(only({ text: words }), { input: estimateTokens(words) + around })
  t.strictSame(
    format.estimate({ contents: [], system_instruction: { parts: [{ text: words }] } }),
    {
      input: estimateTokens(words) + around / 2,
    },
  )
  const blob = (mime_type: string, bytes: number) => ({
    inline_data: { mime_type, data: 'A'.repeat((bytes * 4) / 3) },
  })
  t.strictSame(only(blob('image/png', 30)), { input: 1120 + around })
  t.strictSame(only(blob('audio/wav', 3000)), { input: around, inputAudio: 6 })
  t.strictSame(only(blob('video/mp4', 2400)), { input: 3 + around })
  t.strictSame(only(blob('application/pdf', 131_073)), { input: 3 * 560 + around })
  t.strictSame(only({ fileData: { fileUri: 'x' } }), { input: 560 + around })
  const response = { name: 'a', response: { output: words } }
  const png = { inlineData: { mimeType: 'image/png', data: '' } }
  const plainResult = only({ functionResponse: response }).input ?? 0
  t.ok(plainResult > estimateTokens(words))
  t.equal(only({ functionResponse: { ...response, parts: [png] } }).input, plainResult + 1120)
  const tools = [{ functionDeclarations: [{ name: 'a', description: words }] }]
  t.ok((format.estimate({ ...least, tools }).input ?? 0) > estimateTokens(words))
})
