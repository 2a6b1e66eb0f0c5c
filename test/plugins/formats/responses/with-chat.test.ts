/**
 * A chat client served by a responses upstream, and a responses client served by a chat upstream: what goes out and
 * what comes back, as the JSON both sides see.
 */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Event } from '../../../../kernel/contract/event.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import chatFormat from '../../../../plugins/formats/chat/index.js'
import { body, stream } from './recorded.js'
import { decode, encode, outputOf, responseOf, format as responses } from './wire.js'

const chat = chatFormat()

function toResponses(request: JsonObject) {
  chat.check(request)
  const call = chat.decodeRequest(request)
  return { wire: responses.encodeRequest(call), lost: responses.unsupportedFields(call) }
}

function toChat(request: JsonObject) {
  responses.check(request)
  const call = responses.decodeRequest(request)
  return { wire: chat.encodeRequest(call), lost: chat.unsupportedFields(call) }
}

const nothing = { refuse: [], report: [] }

t.test('[FMT-9] a chat request with tools and media goes out as a responses request', async (t) => {
  const { wire, lost } = toResponses({
    model: 'gpt-5.1',
    max_completion_tokens: 3000,
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0,
    parallel_tool_calls: false,
    user: 'u-1',
    metadata: { order: '1' },
    logprobs: true,
    top_logprobs: 2,
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=', detail: 'low' } },
          { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } },
          {
            type: 'file',
            file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' },
          },
        ],
      },
      {
        role: 'assistant',
        content: 'I will look.',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
          { id: 'call_2', type: 'function', function: { name: 'look', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'one' },
      { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'two' }] },
      { role: 'developer', content: 'Hurry.' },
      { role: 'user', content: 'And now?' },
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } },
      },
      { type: 'function', function: { name: 'wait', strict: true } },
    ],
    tool_choice: { type: 'function', function: { name: 'look' } },
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', schema: { type: 'object' }, strict: true },
    },
  })
  t.strictSame(lost, nothing)
  t.strictSame(wire, {
    model: 'gpt-5.1',
    instructions: 'Be brief.',
    input: [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is it?' },
          { type: 'input_image', image_url: 'data:image/png;base64,aGk=', detail: 'low' },
          { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' },
        ],
      },
      { type: 'message', role: 'assistant', content: 'I will look.' },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"a":1}' },
      { type: 'function_call', call_id: 'call_2', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'one' },
      { type: 'function_call_output', call_id: 'call_2', output: 'two' },
      { type: 'message', role: 'developer', content: 'Hurry.' },
      { type: 'message', role: 'user', content: 'And now?' },
    ],
    // Tools are strict here by default, in the chat format they are not.
    tools: [
      {
        type: 'function',
        parameters: { type: 'object' },
        strict: false,
        name: 'look',
        description: 'Looks.',
      },
      {
        type: 'function',
        parameters: { type: 'object', properties: {} },
        strict: true,
        name: 'wait',
      },
    ],
    tool_choice: { type: 'function', name: 'look' },
    parallel_tool_calls: false,
    max_output_tokens: 3000,
    temperature: 0,
    top_logprobs: 2,
    include: ['message.output_text.logprobs'],
    text: {
      format: { type: 'json_schema', name: 'answer', schema: { type: 'object' }, strict: true },
    },
    user: 'u-1',
    metadata: { order: '1' },
    store: false,
    stream: true,
  })
})

t.test('[FMT-9] what a responses upstream cannot say is refused or reported by name', async (t) => {
  const least = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] }
  const rows = [
    // chat field                          refused                     reported
    [{}, [], []],
    [{ n: 1, stop: [], logit_bias: {} }, [], []],
    [{ n: 2 }, ['sampling.choices'], []],
    [{ stop: 'END' }, ['sampling.stop'], []],
    [{ logit_bias: { 1: 5 } }, ['sampling.logitBias'], []],
    [{ modalities: ['text'] }, [], []],
    [
      { modalities: ['audio'], audio: { voice: 'alloy', format: 'wav' } },
      ['modalities', 'audio'],
      [],
    ],
    [{ web_search_options: {} }, ['web_search_options'], []],
    [{ tools: [{ type: 'custom', custom: { name: 'x' } }] }, ['tools.custom'], []],
    [{ seed: 0, presence_penalty: 0 }, [], ['sampling.seed']],
    [{ presence_penalty: 1 }, [], ['sampling.presencePenalty']],
    [{ service_tier: 'flex', verbosity: 'low', store: true, prompt_cache_key: 'k' }, [], []],
    [{ prediction: {} }, [], ['prediction']],
    [{ max_tokens: 15 }, [], ['limit']],
    [{ tool_choice: 'required' }, ['toolChoice'], []],
    [{ reasoning_effort: 'none' }, [], []],
    [{ thinking: { type: 'disabled' } }, [], ['reasoning.off']],
    [{ response_format: { type: 'json_object' }, logprobs: true }, [], []],
  ] as const
  for (const [fields, refuse, report] of rows) {
    const { lost } = toResponses({ ...least, ...fields })
    t.strictSame(lost, { refuse, report }, JSON.stringify(fields))
  }
})

t.test('where reasoning is requested, its seal is', async (t) => {
  const requests = (fields: JsonObject) => {
    const { include, reasoning } = toResponses({
      model: 'm',
      messages: [{ role: 'user', content: 'Hello' }],
      ...fields,
    }).wire
    return [reasoning, include]
  }
  const sealed = ['reasoning.encrypted_content']
  t.strictSame(requests({}), [undefined, undefined])
  t.strictSame(requests({ reasoning_effort: 'high' }), [
    { effort: 'high', summary: 'auto' },
    sealed,
  ])
  t.strictSame(requests({ reasoning_effort: 'none' }), [{ effort: 'none' }, undefined])
  const budget = (budget_tokens: number) =>
    requests({ thinking: { type: 'enabled', budget_tokens } })
  t.strictSame(budget(1024), [{ effort: 'low', summary: 'auto' }, sealed])
  t.strictSame(budget(2048), [{ effort: 'medium', summary: 'auto' }, sealed])
  t.strictSame(budget(8192), [{ effort: 'high', summary: 'auto' }, sealed])
})

function chatReply(name: string): { message: JsonObject; finish: unknown; usage: unknown } {
  const reply = chat.encodeReply(responses.decodeReply(body(name)), { model: 'asked' })
  const { choices, usage } = reply as { choices: JsonObject[]; usage: JsonObject }
  const { message, finish_reason } = choices[0]!
  return { message: message as JsonObject, finish: finish_reason, usage }
}

t.test('[FMT-9] every kind of answer reaches a chat client', async (t) => {
  t.match(chatReply('text'), {
    message: { role: 'assistant', content: /^Grüße aus 北京/ },
    finish: 'stop',
    usage: {
      prompt_tokens: 2360,
      completion_tokens: 27,
      total_tokens: 2387,
      prompt_tokens_details: { cached_tokens: 2048, cache_write_tokens: 300 },
    },
  })
  t.match(chatReply('tools'), {
    message: {
      content: 'I will look up both.',
      tool_calls: [
        { id: 'call_one', function: { name: 'get_weather', arguments: '{"city":"München"}' } },
        { id: 'call_two', function: { name: 'get_time', arguments: '{}' } },
      ],
    },
    finish: 'tool_calls',
    usage: { completion_tokens_details: { reasoning_tokens: 41 } },
  })
  t.match(chatReply('web-search').message.annotations, [
    { type: 'url_citation', url_citation: { end_index: 12, url: 'https://example.com/0' } },
  ])
  t.match(chatReply('refusal').message, { content: null, refusal: "I can't help with that." })
  t.equal(chatReply('incomplete').finish, 'length')
})

t.test('[FMT-9] log-probabilities reach a chat client in its own shape', async (t) => {
  const reply = chat.encodeReply(decode(stream('logprobs')), { model: 'asked' })
  const { choices } = reply as { choices: JsonObject[] }
  t.match(choices[0]?.logprobs, {
    content: [{ token: 'Hi', top_logprobs: [{}, {}] }, { token: '!' }],
  })
})

t.test('[FMT-9] a responses stream reaches a chat client piece by piece', async (t) => {
  const encoder = chat.encodeStream({ model: 'asked', wantsUsage: true })
  const bytes = Buffer.concat(decode(stream('tools')).flatMap((event) => encoder.push(event)))
  const frames = bytes
    .toString('utf8')
    .split('\n\n')
    .filter((frame) => frame !== '')
  t.equal(frames.at(-1), 'data: [DONE]')
  const input = frames.slice(0, -1).flatMap((frame) => {
    const { choices } = JSON.parse(frame.slice('data: '.length))
    const [call] = choices[0]?.delta.tool_calls ?? []
    return call ? [`${call.index} ${call.function.name ?? ''}${call.function.arguments}`] : []
  })
  t.strictSame(input, ['0 get_weather', '0 {"city":', '0 "Mün', '0 chen"}', '1 get_time', '1 {}'])
})

t.test('[FMT-9] sealed reasoning comes home from a chat client', async (t) => {
  const { message } = chatReply('reasoning')
  t.equal(
    message.reasoning_content,
    '**Multiplying**\n\n27 * 453: first 27 * 400.\n\n**Adding**\n\nthen 27 * 53.',
  )
  const { wire, lost } = toResponses({
    model: 'm',
    messages: [{ role: 'user', content: 'Multiply.' }, message, { role: 'user', content: 'Sure?' }],
  })
  t.strictSame(lost, nothing)
  t.strictSame((wire.input as JsonObject[])[1], {
    type: 'reasoning',
    // Under any other id the upstream would refuse it.
    id: 'rs_one',
    summary: [{ type: 'summary_text', text: message.reasoning_content }],
    encrypted_content: 'gAAAAABone',
  })
})

t.test('[FMT-9] a responses request goes out as a chat request', async (t) => {
  const { wire, lost } = toChat({
    model: 'm',
    instructions: 'Be brief.',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look.' },
          { type: 'input_image', image_url: 'data:image/png;base64,aGk=', detail: 'auto' },
        ],
      },
      { role: 'assistant', content: 'I will.' },
      { type: 'function_call', call_id: 'a', name: 'look', arguments: '{"a":1}' },
      { type: 'function_call', call_id: 'b', name: 'look', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'a',
        output: [
          { type: 'input_text', text: 'Seen.' },
          { type: 'input_image', image_url: 'https://a.example/a.png' },
        ],
      },
      { type: 'function_call_output', call_id: 'b', output: 'No.' },
      { role: 'developer', content: 'Hurry.' },
      { role: 'user', content: 'And?' },
    ],
    tools: [{ type: 'function', name: 'look', parameters: { type: 'object' }, strict: null }],
    tool_choice: 'required',
    parallel_tool_calls: false,
    max_output_tokens: 100,
    temperature: 0.5,
    top_logprobs: 2,
    include: ['message.output_text.logprobs'],
    text: { format: { type: 'json_schema', name: 'a', schema: {}, strict: true } },
    reasoning: { effort: 'low' },
    user: 'u',
    stream: true,
  })
  t.strictSame(lost, nothing)
  t.strictSame(wire, {
    model: 'm',
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=', detail: 'auto' } },
        ],
      },
      {
        role: 'assistant',
        content: 'I will.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
          { id: 'b', type: 'function', function: { name: 'look', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'Seen.' },
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: 'https://a.example/a.png' } }],
      },
      { role: 'tool', tool_call_id: 'b', content: 'No.' },
      { role: 'developer', content: 'Hurry.' },
      { role: 'user', content: 'And?' },
    ],
    tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
    tool_choice: 'required',
    parallel_tool_calls: false,
    max_tokens: 100,
    stream: true,
    temperature: 0.5,
    logprobs: true,
    top_logprobs: 2,
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {}, strict: true } },
    reasoning_effort: 'low',
    user: 'u',
    stream_options: { include_usage: true },
  })
})

t.test('[FMT-9] what only this format can say is refused by a chat upstream', async (t) => {
  const least = { model: 'm', input: 'Hello' }
  const reference = { type: 'item_reference', id: 'msg_1' }
  for (const fields of [
    { previous_response_id: 'resp_1' },
    { conversation: 'conv_1' },
    { prompt: { id: 'pmpt_1' } },
    { background: true },
    { tools: [{ type: 'web_search' }], tool_choice: 'required' },
    { input: [reference] },
    { input: [{ type: 'compaction', encrypted_content: 'x' }] },
    { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file_1' }] }] },
  ]) {
    t.equal(toChat({ ...least, ...fields }).lost.refuse.length, 1, JSON.stringify(fields))
  }
  const cosmetic = {
    store: false,
    include: ['reasoning.encrypted_content'],
    truncation: 'auto',
    background: false,
  }
  t.strictSame(toChat({ ...least, ...cosmetic }).lost, {
    refuse: [],
    report: ['truncation', 'include'],
  })
})

const chatStream = (name: string): Event[] => {
  const decoder = chat.decodeStream()
  const bytes = readFileSync(new URL(`../../../fixtures/chat/${name}.sse`, import.meta.url))
  return [...decoder.push(bytes), ...decoder.flush()]
}

t.test('[FMT-9] a chat stream reaches a responses client, tools in a row', async (t) => {
  const frames = encode(chatStream('openai-parallel-tools'))
  t.match(outputOf(frames), [
    { type: 'function_call', call_id: 'call_one', arguments: '{"city":"Paris","unit":"c"}' },
    { type: 'function_call', call_id: 'call_two', arguments: '{"city":"北京"}' },
  ])
  t.match(responseOf(frames.at(-1)), { status: 'completed', usage: { total_tokens: 119 } })
  t.equal(outputOf(encode(chatStream('openai-text'))).length, 1)
})

t.test('[FMT-9] reasoning of a chat upstream comes home from a responses client', async (t) => {
  const output = outputOf(encode(chatStream('deepseek-reasoning')))
  t.match(output, [{ type: 'reasoning' }, { type: 'message' }])
  const call = { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' }
  const result = { type: 'function_call_output', call_id: 'a', output: 'seen' }
  const { wire } = toChat({ model: 'm', input: [...output, call, result] })
  const [answer] = wire.messages as JsonObject[]
  const [{ summary }, { content }] = output as [JsonObject, JsonObject]
  // Upstreams that think refuse a round of tools without the reasoning that led to it.
  t.strictSame(answer?.reasoning_content, (summary as JsonObject[])[0]?.text)
  t.strictSame(answer?.content, (content as JsonObject[])[0]?.text)
  t.match(answer?.tool_calls, [{ id: 'a' }])
})
