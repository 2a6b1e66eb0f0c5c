/** Refusals in the words of vendors: which field they are about, and which are about something else. */
import t from 'tap'
import type { Failure } from '../../../../kernel/contract/failure.js'
import { upstreamFailure } from '../../../../kernel/toolkit/errors/upstream-failure.js'
import {
  refusedFields,
  upstreamWords,
} from '../../../../plugins/services/refusals/refused-fields.js'
import { fail as gemini } from '../../../../providers/gemini/fail.js'
import { fail as mistral } from '../../../../providers/mistral/fail.js'

const refusal = (message: string, over: Partial<Failure> = {}): Failure => ({
  ...{ blame: 'client', status: 400, code: 'upstream_rejected' },
  message: `The upstream refused the request: ${message}`,
  ...over,
})

/** As vendors sent them, read 2026-11-27; the sources stand beside the patterns. */
const seen: readonly (readonly [message: string, ...fields: string[]])[] = [
  [
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    'max_tokens',
  ],
  [
    "Unsupported value: 'temperature' does not support 0.16 with this model. Only the default (1) value is supported.",
    'temperature',
  ],
  ["Unknown parameter: 'input[3].status'.", 'input[].status'],
  ["Unknown parameter: 'response_format.strict'", 'response_format.strict'],
  [
    'Unrecognized request argument supplied: stream_options. Please contact us through an Azure support request',
    'stream_options',
  ],
  ['Unrecognized request arguments supplied: foo, bar_baz', 'foo', 'bar_baz'],
  [
    "Invalid parameter: 'response_format' of type 'json_object' is not supported with this model.",
    'response_format',
  ],
  ["Additional properties are not allowed ('id' was unexpected) - 'messages.0'", 'messages[].id'],
  [
    "Additional properties are not allowed ('parsed', 'refusal' were unexpected)",
    'parsed',
    'refusal',
  ],
  [
    "Function tools with reasoning_effort are not supported in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
    'reasoning_effort',
  ],
  [
    'tools.3.custom.input_examples: Extra inputs are not permitted',
    'tools[].custom.input_examples',
  ],
  [
    'messages.65.content.1.tool_use.text: Extra inputs are not permitted',
    'messages[].content[].tool_use.text',
  ],
  [
    'system.1.cache_control.ephemeral.scope: Extra inputs are not permitted',
    'system[].cache_control.ephemeral.scope',
  ],
  ['`temperature` is deprecated for this model.', 'temperature'],
  [
    "tools.0: Input tag 'function' found using 'type' does not match any of the expected tags: 'bash_20250124', 'custom'",
    'tools[]',
  ],
  [
    'Unexpected value(s) `tool-examples-2025-10-29` for the `anthropic-beta` header. Please consult our documentation at docs.anthropic.com or try again without the header.',
    'anthropic-beta.tool-examples-2025-10-29',
  ],
  [
    'Unexpected value(s) `prompt-caching-scope-2026-01-05`, `structured-outputs-2025-12-15` for the `anthropic-beta` header.',
    'anthropic-beta.prompt-caching-scope-2026-01-05',
    'anthropic-beta.structured-outputs-2025-12-15',
  ],
  ['invalid beta flag', 'anthropic-beta'],
  [
    "Extra inputs are not permitted, field: 'tools[0].eager_input_streaming', value: True; Extra inputs are not permitted, field: 'tools[1].eager_input_streaming', value: True",
    'tools[].eager_input_streaming',
  ],
  [
    "[{'type': 'extra_forbidden', 'loc': ('body', 'test'), 'msg': 'Extra inputs are not permitted', 'input': 15}]",
    'test',
  ],
  [
    "[{'type': 'extra_forbidden', 'loc': ('body', 'messages', 0, 'user', 'name'), 'msg': 'Extra inputs are not permitted', 'input': 'A whole sentence'}]",
    'messages[].user.name',
  ],
  [
    'Malformed input request: #: extraneous key [stop_sequences] is not permitted, please reformat your input and try again.',
    'stop_sequences',
  ],
  [
    'Malformed input request: #/messages/0: extraneous key [cachePoint] is not permitted',
    'messages[].cachePoint',
  ],
  [
    "This model doesn't support the stopSequences field. Remove stopSequences and try again.",
    'stopSequences',
  ],
  ["property 'reasoning' is unsupported", 'reasoning'],
  ["property 'store' is unsupported, did you mean 'stop'?", 'store'],
  [
    "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported, did you mean 'role'?)]",
    'messages[].reasoning_content',
  ],
  ['messages[X].reasoning: reasoning is not supported with this model', 'messages[].reasoning'],
  ['Argument not supported on this model: presencePenalty', 'presencePenalty'],
  ['Argument not supported: presencePenalty', 'presencePenalty'],
  ['Model grok-4-1-fast-reasoning does not support parameter presencePenalty.', 'presencePenalty'],
  ['invalid request body: json: unknown field "logit_bias"', 'logit_bias'],
  [
    'Failed to deserialize the JSON body into the target type: messages[466]: unknown variant `image_url`, expected `text` at line 1 column 690848',
    'messages[].image_url',
  ],
  ['Thinking mode does not support this tool_choice', 'tool_choice'],
  ['Unsupported param: tools', 'tools'],
  ['Unsupport parameter result_format, please check.', 'result_format'],
  ["'tools' is not supported by the model", 'tools'],
  [
    'The parameter `response_format.type` specified in the request are not valid: `json_object` is not supported by this model. Request id: 02176',
    'response_format.type',
  ],
  ['模型不存在，请检查模型代码', 'model'],
  ['不支持的参数: top_k', 'top_k'],
  ['参数 top_k 不支持', 'top_k'],
  ['当前模型不支持 SSE 调用方式', ''],
  ['Unknown model: gpt-9', 'model'],
  ['<400> InternalError.Algo.InvalidParameter: The tool call is not supported.', ''],
]

t.test('the field stands in the words of the vendor', async (t) => {
  for (const [message, ...fields] of seen)
    t.strictSame(refusedFields(refusal(message)), fields, message)
})

t.test('what every wording captures is a name of at most 128 characters', async (t) => {
  const long = `Unknown parameter: '${'a.b'.repeat(60)}'.`
  const [field] = refusedFields(refusal(long))
  t.equal(field?.length, 128)
  for (const [message] of seen) {
    for (const field of refusedFields(refusal(message)))
      t.match(field, /^[A-Za-z0-9_.[\]-]{0,128}$/)
  }
})

t.test('Google names the place and the name apart, and schemas are the client’s own', async (t) => {
  const at = 'tools[0].function_declarations[5].parameters.properties[8].value.any_of[0]'
  const description = `Invalid JSON payload received. Unknown name "const" at '${at}': Cannot find field.`
  const message = `${description}\n${description.replace('[5]', '[7]').replace('const', '$schema')}`
  const details = [
    {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [{ field: at, description }],
    },
  ]
  const error = { code: 400, message, status: 'INVALID_ARGUMENT', details }
  const failure = gemini(400, {}, Buffer.from(JSON.stringify({ error })))
  t.strictSame(refusedFields(failure), [
    'tools[].function_declarations[].parameters.const',
    'tools[].function_declarations[].parameters.schema',
  ])
})

t.test('a list of fields is read as its provider reads it', async (t) => {
  const loc = ['body', 'messages', 6, 'assistant', 'tool_calls', 0, 'name']
  const detail = [
    { type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted', input: null },
  ]
  const failure = mistral(422, {}, Buffer.from(JSON.stringify({ detail })))
  t.strictSame(refusedFields(failure), ['messages[].assistant.tool_calls[].name'])
})

t.test('words that name nothing leave it to the parameter, which must be a name', async (t) => {
  const plain = 'This is not supported.'
  t.strictSame(refusedFields(refusal(plain, { param: 'tools.0.type' })), ['tools[].type'])
  for (const param of ['None', 'null', 'a whole sentence', '…', undefined]) {
    t.strictSame(refusedFields(refusal(plain, { param })), [''], String(param))
  }
})

t.test('a channel that is to blame is read by its own words', async (t) => {
  const body = { error: { message: 'The model `gpt-9` does not exist', code: 'model_not_found' } }
  const failure = upstreamFailure({
    status: 404,
    headers: {},
    head: Buffer.from(JSON.stringify(body)),
  })
  t.strictSame(refusedFields(failure), ['model'])
  const unsupported = refusal('it does not know this model or path.', {
    ...{ blame: 'channel', status: 404, code: 'upstream_error' },
    upstreamMessage:
      'models/gemini-9 is not found for API version v1beta, or is not supported for generateContent.',
  })
  t.strictSame(refusedFields(unsupported), ['model'])
})

t.test('other failures are none of these', async (t) => {
  const strange = "Unknown parameter: 'x'."
  for (const status of [0, 200, 401, 402, 408, 409, 429, 500, 503]) {
    t.strictSame(refusedFields(refusal(strange, { status })), [], String(status))
  }
  t.strictSame(
    refusedFields(refusal(strange, { code: 'not_expressible' })),
    [],
    'of the gateway itself',
  )
  for (const message of [
    'An unknown error occurred.',
    'max_tokens is too large',
    "Missing required parameter: 'model'.",
    '未知错误',
    '',
  ]) {
    t.strictSame(refusedFields(refusal(message)), [], message)
  }
})

t.test('nothing of the client’s text is kept, in the field or in the words', async (t) => {
  const secret = 'my dear diary, today'
  const messages = [
    `Unknown parameter: '${secret}'.`,
    `Unsupported value: "${secret}" for role`,
    `Extra inputs are not permitted, field: 'metadata', value: ${secret}`,
    `[{'type': 'extra_forbidden', 'loc': ('body', 'x'), 'msg': 'Extra inputs are not permitted', 'input': '${secret} and more`,
    `unknown variant \`${secret}\`, expected \`user\``,
    `Unexpected value “${secret}” is not supported`,
  ]
  for (const message of messages) {
    const failure = refusal(message)
    t.notMatch(upstreamWords(failure), /diary/, message)
    t.notMatch(refusedFields(failure).join(), /diary|dear/, message)
    t.not(refusedFields(failure).length, 0, message)
  }
  t.strictSame(refusedFields(refusal("Unknown parameter: 'metadata.dear_diary'.")), ['metadata'])
  t.equal(
    upstreamWords(refusal("This model doesn't support the 'stop' field")),
    "This model doesn't support the 'stop' field",
  )
})
