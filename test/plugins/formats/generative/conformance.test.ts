/**
 * The generative format under the conformance kit. The kit knows bodies alone, so what the address would say of a
 * request is put in here.
 */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Call, Part } from '../../../../kernel/contract/call.js'
import type { Format, RequestHints } from '../../../../kernel/contract/format.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import createFormat from '../../../../plugins/formats/generative/index.js'
import { unsupported } from '../../../../plugins/formats/generative/unsupported-fields.js'
import { conformingFormat, type LossCase } from '../../../conformance/format.js'
import { body, stream } from './recorded.js'

const hints: RequestHints = { model: 'gemini-3-flash', stream: true }

function create(): Format {
  const format = createFormat()
  return {
    ...format,
    check: (sent) => format.check(sent, hints),
    decodeRequest: (sent) => format.decodeRequest(sent, hints),
  }
}

const least: JsonObject = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }

const schema = {
  type: 'object',
  properties: { deep: { type: 'boolean' } },
  additionalProperties: false,
  $defs: { x: { type: 'string' } },
}

const look = { name: 'look', description: 'Looks.', parametersJsonSchema: schema }

const everything: JsonObject = {
  systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
  contents: [
    {
      role: 'user',
      parts: [
        { text: 'What is this?' },
        { inlineData: { mimeType: 'image/png', data: 'aGk=', displayName: 'a.png' } },
        { inlineData: { mimeType: 'audio/wav', data: 'aGk=' } },
        { inlineData: { mimeType: 'application/pdf', data: 'aGk=' } },
        { fileData: { mimeType: 'image/png', fileUri: 'https://example.com/a.png' } },
        {
          fileData: {
            mimeType: 'video/mp4',
            fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/abc',
          },
          videoMetadata: { startOffset: '1s', endOffset: '9s', fps: 2 },
        },
        { fileData: { fileUri: 'https://www.youtube.com/watch?v=9hE5-98ZeCg' } },
        { strangePart: { a: 1 } },
      ],
    },
    {
      role: 'model',
      parts: [
        { text: 'Let me see.', thought: true },
        { text: 'I will look.', thoughtSignature: 'c2lnMQ==' },
        { executableCode: { language: 'PYTHON', code: 'print(1)' } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } },
        {
          functionCall: { id: 'fc_1', name: 'look', args: { deep: true } },
          thoughtSignature: 'c2lnMg==',
        },
        { functionCall: { name: 'look', args: {} } },
        { functionCall: { name: 'look', args: { n: 2 } } },
      ],
    },
    {
      role: 'user',
      parts: [
        {
          functionResponse: {
            id: 'fc_1',
            name: 'look',
            response: { result: { seen: [1, 2] } },
            parts: [{ inlineData: { mimeType: 'image/png', data: 'aGk=' } }],
            scheduling: 'WHEN_IDLE',
            willContinue: false,
          },
        },
        { functionResponse: { name: 'look', response: { output: 'Seen.' } } },
        { functionResponse: { name: 'look', response: { error: 'No.' } } },
      ],
    },
    { role: 'model', parts: [{ text: 'Hm.' }, { text: '', thoughtSignature: 'c2lnMw==' }] },
    { role: 'user', parts: [{ text: 'And now?' }, { text: '' }] },
  ],
  tools: [
    { functionDeclarations: [look, { name: 'plain' }] },
    { googleSearch: {} },
    { urlContext: {} },
    { codeExecution: {} },
    { googleMaps: { enableWidget: true } },
    { googleSearchRetrieval: { dynamicRetrievalConfig: { mode: 'MODE_DYNAMIC' } } },
  ],
  toolConfig: {
    functionCallingConfig: { mode: 'AUTO' },
    retrievalConfig: { latLng: { latitude: 1, longitude: 2 } },
  },
  generationConfig: {
    temperature: 0,
    topP: 0,
    topK: 0,
    seed: 0,
    presencePenalty: 0,
    frequencyPenalty: -1,
    stopSequences: ['END'],
    maxOutputTokens: 100,
    candidateCount: 1,
    responseLogprobs: true,
    logprobs: 3,
    responseMimeType: 'application/json',
    responseJsonSchema: schema,
    responseModalities: ['TEXT', 'AUDIO'],
    speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
    thinkingConfig: { thinkingBudget: -1, includeThoughts: true },
    mediaResolution: 'MEDIA_RESOLUTION_LOW',
  },
  safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
  cachedContent: 'cachedContents/abc',
  labels: { team: 'a' },
}

function configured(generationConfig: JsonObject): JsonObject {
  return { ...least, generationConfig }
}

function calling(functionCallingConfig: JsonObject): JsonObject {
  return {
    ...least,
    tools: [{ functionDeclarations: [look, { name: 'plain' }] }],
    toolConfig: { functionCallingConfig },
  }
}

const requests = [
  { name: 'least', body: least },
  { name: 'everything', body: everything },
  {
    name: 'in snake case',
    body: {
      system_instruction: { parts: [{ text: 'Be brief.' }], role: 'user' },
      contents: [
        {
          parts: [
            { inline_data: { mime_type: 'image/png', data: 'aGk=' } },
            { file_data: { file_uri: 'https://example.com/a', mime_type: 'audio/mpeg' } },
          ],
        },
        {
          role: 'model',
          parts: [
            { function_call: { name: 'look', args: { snake_key: 1 } }, thought_signature: 'c2ln' },
          ],
        },
        {
          role: 'function',
          parts: [{ function_response: { name: 'look', response: { snake_key: 2 } } }],
        },
      ],
      tools: [
        { function_declarations: [{ name: 'look', parameters: { type: 'OBJECT' } }] },
        { google_search: {} },
      ],
      tool_config: { function_calling_config: { mode: 'any' } },
      generation_config: { top_p: 0.5, max_output_tokens: 9, stop_sequences: ['END'] },
      safety_settings: [],
      x_unknown: 1,
    },
    spelled: {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
            { fileData: { fileUri: 'https://example.com/a', mimeType: 'audio/mpeg' } },
          ],
        },
        {
          role: 'model',
          parts: [
            { functionCall: { name: 'look', args: { snake_key: 1 } }, thoughtSignature: 'c2ln' },
          ],
        },
        {
          role: 'function',
          parts: [{ functionResponse: { name: 'look', response: { snake_key: 2 } } }],
        },
      ],
      tools: [
        { functionDeclarations: [{ name: 'look', parametersJsonSchema: { type: 'object' } }] },
        { googleSearch: {} },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      generationConfig: { topP: 0.5, maxOutputTokens: 9, stopSequences: ['END'] },
      safetySettings: [],
      x_unknown: 1,
    },
  },
  {
    name: 'with the older way to write a schema',
    body: {
      ...least,
      tools: [
        {
          functionDeclarations: [
            {
              name: 'book',
              parameters: {
                type: 'OBJECT',
                properties: {
                  seats: { type: 'ARRAY', items: { type: 'STRING' }, max_items: '4', minItems: 1 },
                  when: { type: 'string', format: 'date-time', nullable: true },
                  how: { anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }] },
                },
                required: ['seats'],
                propertyOrdering: ['seats', 'when'],
              },
              behavior: 'BLOCKING',
            },
          ],
          googleSearch: {},
        },
      ],
      generationConfig: {
        responseMimeType: 'application/json',
        responseSchema: { type: 'STRING', enum: ['a', 'b'] },
      },
    },
    spelled: {
      ...least,
      tools: [
        {
          functionDeclarations: [
            {
              name: 'book',
              parametersJsonSchema: {
                type: 'object',
                properties: {
                  seats: { type: 'array', items: { type: 'string' }, maxItems: 4, minItems: 1 },
                  when: { type: ['string', 'null'], format: 'date-time' },
                  how: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
                },
                required: ['seats'],
                propertyOrdering: ['seats', 'when'],
              },
              behavior: 'BLOCKING',
            },
          ],
        },
        { googleSearch: {} },
      ],
      generationConfig: {
        responseMimeType: 'application/json',
        responseJsonSchema: { type: 'string', enum: ['a', 'b'] },
      },
    },
  },
  {
    name: 'kept by a client as the stream brought it',
    body: {
      contents: [
        { role: 'user', parts: [{ text: 'Sing.' }] },
        { role: 'model', parts: [{ text: 'La' }] },
        { role: 'model', parts: [{ text: ' la' }] },
        { role: 'model', parts: [{ text: '', thoughtSignature: 'c2ln' }] },
        { role: 'user', parts: [{ text: 'More.' }] },
        { role: 'user', parts: [{ text: 'Please.' }] },
      ],
    },
    spelled: {
      contents: [
        { role: 'user', parts: [{ text: 'Sing.' }] },
        {
          role: 'model',
          parts: [{ text: 'La' }, { text: ' la' }, { text: '', thoughtSignature: 'c2ln' }],
        },
        { role: 'user', parts: [{ text: 'More.' }] },
        { role: 'user', parts: [{ text: 'Please.' }] },
      ],
    },
  },
  { name: 'json', body: configured({ responseMimeType: 'application/json' }) },
  { name: 'plain text', body: configured({ responseMimeType: 'text/plain' }) },
  {
    name: 'one word of several',
    body: configured({
      responseMimeType: 'text/x.enum',
      responseSchema: { type: 'STRING', enum: ['a', 'b'] },
    }),
  },
  {
    name: 'thinking at a level',
    body: configured({ thinkingConfig: { thinkingLevel: 'LOW', includeThoughts: true } }),
  },
  {
    name: 'thinking at a level of its own',
    body: configured({ thinkingConfig: { thinkingLevel: 'minimal' } }),
  },
  {
    name: 'thinking with a budget',
    body: configured({ thinkingConfig: { thinkingBudget: 1024, includeThoughts: true } }),
  },
  { name: 'thinking off', body: configured({ thinkingConfig: { thinkingBudget: 0 } }) },
  { name: 'thoughts alone', body: configured({ thinkingConfig: { includeThoughts: true } }) },
  {
    name: 'log-probabilities of the chosen tokens',
    body: configured({ responseLogprobs: true }),
  },
  { name: 'no log-probabilities', body: configured({ responseLogprobs: false, logprobs: 0 }) },
  { name: 'any tool', body: calling({ mode: 'ANY' }) },
  { name: 'a forced tool', body: calling({ mode: 'ANY', allowedFunctionNames: ['look'] }) },
  {
    name: 'one of some tools',
    body: calling({ mode: 'ANY', allowedFunctionNames: ['look', 'plain'] }),
  },
  {
    name: 'checked calls',
    body: calling({ mode: 'VALIDATED', allowedFunctionNames: ['look', 'plain'] }),
  },
  { name: 'no tool', body: calling({ mode: 'NONE' }) },
]

const said1 = (part: unknown) => ({ contents: [{ parts: [part] }] }) as JsonObject

const refused: readonly (readonly [param: string, body: JsonObject])[] = [
  ['contents', {}],
  ['contents', { contents: 'Hello' }],
  ['contents', { contents: [] }],
  ['contents[0]', { contents: ['Hello'] }],
  ['contents[0].role', { contents: [{ role: 'assistant', parts: [] }] }],
  ['contents[0].parts', { contents: [{ role: 'user' }] }],
  ['contents[0].parts[0]', { contents: [{ parts: ['Hello'] }] }],
  ['contents[0].parts[0].text', said1({ text: 1 })],
  ['contents[0].parts[0].thoughtSignature', said1({ thought_signature: 1 })],
  ['contents[0].parts[0].inlineData', said1({ inlineData: 'aGk=' })],
  ['contents[0].parts[0].inlineData.mimeType', said1({ inline_data: { data: 'aGk=' } })],
  ['contents[0].parts[0].inlineData.data', said1({ inlineData: { mimeType: 'image/png' } })],
  ['contents[0].parts[0].fileData.fileUri', said1({ file_data: {} })],
  ['contents[0].parts[0].functionCall.name', said1({ functionCall: { args: {} } })],
  ['contents[0].parts[0].functionResponse.name', said1({ function_response: {} })],
  ['systemInstruction', { ...least, system_instruction: 'Be brief.' }],
  ['tools', { ...least, tools: {} }],
  ['toolConfig', { ...least, toolConfig: [] }],
  ['generationConfig', { ...least, generation_config: 1 }],
  ['safetySettings', { ...least, safetySettings: ['x'] }],
  ['cachedContent', { ...least, cached_content: 1 }],
  ['generationConfig.temperature', configured({ temperature: 2.1 })],
  ['generationConfig.temperature', configured({ temperature: '1' })],
  ['generationConfig.topP', configured({ top_p: '1' })],
  ['generationConfig.topK', configured({ topK: '1' })],
  ['generationConfig.seed', configured({ seed: 1.5 })],
  ['generationConfig.stopSequences', configured({ stop_sequences: 'END' })],
  ['generationConfig.maxOutputTokens', configured({ maxOutputTokens: -1 })],
  ['generationConfig.maxOutputTokens', configured({ max_output_tokens: '9' })],
  ['generationConfig.candidateCount', configured({ candidateCount: 0 })],
  ['generationConfig.responseLogprobs', configured({ responseLogprobs: 1 })],
  ['generationConfig.responseModalities', configured({ responseModalities: 'TEXT' })],
  ['generationConfig.thinkingConfig', configured({ thinkingConfig: 1024 })],
]

const plain: Call = {
  model: 'm',
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [],
  stream: false,
  wantsUsage: false,
  sampling: {},
}

const text = { kind: 'text', text: 'x' } as const
const tool = { kind: 'function', name: 'a' } as const

function readResult(part: Part): Partial<Call> {
  return { turns: [{ role: 'user', parts: [text, part] }] }
}

function answered(part: Part): Partial<Call> {
  return {
    turns: [
      { role: 'user', parts: [text] },
      { role: 'assistant', parts: [text, part] },
    ],
  }
}

const png = { kind: 'media', type: 'image', source: { base64: 'aGk=', mime: 'image/png' } } as const

const webSearch = { kind: 'server', name: 'web_search', only: { messages: {} } } as const

const lossCases: readonly LossCase[] = [
  { field: 'sampling.choices', kind: 'refuse', call: { sampling: { choices: 9 } } },
  { field: 'sampling.logitBias', kind: 'refuse', call: { sampling: { logitBias: { 1: 5 } } } },
  { field: 'sampling.stop', kind: 'refuse', call: { sampling: { stop: [...'abcdef'] } } },
  { field: 'sampling.stop', kind: 'refuse', call: { sampling: { stop: [''] } } },
  { field: 'modalities', kind: 'refuse', call: { modalities: ['text', 'smell'] } },
  {
    field: 'audio',
    kind: 'refuse',
    call: { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } },
  },
  { field: 'tools.web_search', kind: 'report', call: { tools: [webSearch] } },
  {
    field: 'tools.web_search',
    kind: 'refuse',
    call: { tools: [webSearch], toolChoice: { kind: 'named', name: 'web_search' } },
  },
  {
    field: 'tools.web_search',
    kind: 'refuse',
    call: { tools: [webSearch], toolChoice: { kind: 'required' } },
  },
  {
    field: 'media.id',
    kind: 'refuse',
    call: readResult({ kind: 'media', type: 'file', source: { id: 'file-1', of: 'chat' } }),
  },
  {
    field: 'toolCall.input',
    kind: 'refuse',
    call: answered({ kind: 'toolCall', id: 'a', name: 'a', input: '[1]' }),
  },
  {
    field: 'toolResult.name',
    kind: 'refuse',
    call: readResult({ kind: 'toolResult', callId: 'nobody', parts: [text] }),
  },
  {
    field: 'serverTool',
    kind: 'report',
    call: answered({ kind: 'serverTool', id: 'a', name: 'a', of: 'messages' }),
  },
  {
    field: 'opaque',
    kind: 'refuse',
    call: readResult({ kind: 'opaque', of: 'messages', value: {} }),
  },
  {
    field: 'opaque',
    kind: 'report',
    call: answered({ kind: 'opaque', of: 'responses', value: {} }),
  },
  { field: 'parallelTools', kind: 'report', call: { parallelTools: false, tools: [tool] } },
  { field: 'tools.strict', kind: 'report', call: { tools: [{ ...tool, strict: true }] } },
  { field: 'cache', kind: 'report', call: { tools: [{ ...tool, cache: {} }] } },
  { field: 'cache', kind: 'report', call: readResult({ ...text, cache: { ttl: '1h' } }) },
  { field: 'user', kind: 'report', call: { user: 'u' } },
  { field: 'metadata', kind: 'report', call: { metadata: { order: '1' } } },
  {
    field: 'output.name',
    kind: 'report',
    call: { output: { kind: 'schema', name: 'answer', schema: {} } },
  },
  {
    field: 'reasoning.off',
    kind: 'report',
    call: { model: 'gemini-3-pro', reasoning: { off: true } },
  },
  { field: 'reasoning.budget', kind: 'report', call: { reasoning: { budget: 31_999 } } },
  { field: 'reasoning.effort', kind: 'report', call: { reasoning: { effort: 'xhigh' } } },
  {
    field: 'reasoning.summary',
    kind: 'report',
    call: { reasoning: { summary: 'auto', off: true } },
  },
  {
    field: 'reasoning.history',
    kind: 'report',
    call: answered({
      kind: 'reasoning',
      text: 'Hm.',
      seal: { by: 'messages', value: 'sig' },
    }),
  },
  {
    field: 'turns.system',
    kind: 'report',
    call: {
      turns: [
        { role: 'user', parts: [text] },
        { role: 'developer', parts: [text] },
      ],
    },
  },
  { field: 'turns.first', kind: 'report', call: { turns: [{ role: 'assistant', parts: [text] }] } },
  { field: 'turns.first', kind: 'report', call: { turns: [{ role: 'system', parts: [text] }] } },
  {
    field: 'turns.name',
    kind: 'report',
    call: { turns: [{ role: 'user', name: 'ann', parts: [text] }] },
  },
  { field: 'refusal', kind: 'report', call: answered({ kind: 'refusal', text: 'No.' }) },
  { field: 'media.detail', kind: 'report', call: readResult({ ...png, detail: 'low' }) },
  { field: 'media.name', kind: 'report', call: readResult({ ...png, name: 'a.png' }) },
  { field: 'citations', kind: 'report', call: answered({ ...text, citations: [{}] }) },
  {
    field: 'web_search_options',
    kind: 'refuse',
    call: { only: { chat: { web_search_options: {} } } },
  },
  { field: 'mcp_servers', kind: 'refuse', call: { only: { messages: { mcp_servers: [] } } } },
  { field: 'service_tier', kind: 'report', call: { only: { chat: { service_tier: 'flex' } } } },
]

const replies = [
  'text',
  'thinking',
  'tools',
  'tools-without-ids',
  'search',
  'image',
  'code',
  'safety',
  'max-tokens',
  'two-answers',
  'speech',
  'logprobs',
]

conformingFormat((title, run) => t.test(title, async () => run()), {
  manifest: readFileSync(
    new URL('../../../../plugins/formats/generative/manifest.json', import.meta.url),
    'utf8',
  ),
  create,
  requests,
  explicit: [
    ['cachedContent', ''],
    ['safetySettings', []],
    ['x_switch', false],
    ['x_number', 0],
  ],
  refused: refused.map(([param, sent]) => ({ param, body: sent })),
  replies: replies.map((name) => ({ name, body: body(name), stream: stream(name) })),
  plain,
  losses: lossCases,
  lossTable: unsupported,
})
