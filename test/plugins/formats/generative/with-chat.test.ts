/**
 * A chat client served by a generative upstream, and a generative client served by a chat upstream: what goes out and
 * what comes back, as the JSON both sides see.
 */
import t from 'tap'
import type { Event } from '../../../../kernel/contract/event.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import chatFormat from '../../../../plugins/formats/chat/index.js'
import { body, stream } from './recorded.js'
import { bytesOf, decode, encode, format as generative, hints, partsOf } from './wire.js'

const chat = chatFormat()
const requested = { model: 'asked', wantsUsage: true }

function toGenerative(request: JsonObject) {
  chat.check(request)
  const call = chat.decodeRequest(request)
  return { wire: generative.encodeRequest(call), lost: generative.unsupportedFields(call) }
}

function toChat(request: JsonObject) {
  generative.check(request, hints)
  const call = generative.decodeRequest(request, hints)
  return { wire: chat.encodeRequest(call), lost: chat.unsupportedFields(call) }
}

/** The message a chat client reads. */
function message(name: string): JsonObject {
  return messageOf(generative.decodeReply(body(name)))
}

function messageOf(events: readonly Event[]): JsonObject {
  const { choices } = chat.encodeReply(events, requested) as { choices: { message: JsonObject }[] }
  return choices[0]!.message
}

/** What a chat client's stream adds up to, by the chat format's own reading of it. */
function streamedMessage(events: readonly Event[]): JsonObject {
  const encoder = chat.encodeStream(requested)
  const decoder = chat.decodeStream()
  const bytes = events.flatMap((event) => encoder.push(event))
  return messageOf([...bytes.flatMap((one) => decoder.push(one)), ...decoder.flush()])
}

function chatStream(...chunks: JsonObject[]): Event[] {
  const results = chunks.map(
    (rest) => `data: ${JSON.stringify({ id: 'chatcmpl-1', model: 'gpt', ...rest })}\n\n`,
  )
  const decoder = chat.decodeStream()
  return [...decoder.push(Buffer.from(`${results.join('')}data: [DONE]\n\n`)), ...decoder.flush()]
}

function delta(fields: JsonObject, finish_reason: string | null = null): JsonObject {
  return { choices: [{ index: 0, delta: fields, finish_reason }] }
}

t.test(
  '[FMT-9] a chat request with tools and media goes out as a generative request',
  async (t) => {
    const { wire, lost } = toGenerative({
      model: 'gemini-3-flash',
      max_completion_tokens: 3000,
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      top_p: 0.9,
      n: 2,
      seed: 7,
      presence_penalty: 0.5,
      frequency_penalty: 0,
      stop: 'END',
      logprobs: true,
      top_logprobs: 2,
      reasoning_effort: 'low',
      response_format: {
        type: 'json_schema',
        json_schema: { schema: { type: 'object', additionalProperties: false }, strict: true },
      },
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
            { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } },
            { type: 'file', file: { file_data: 'data:application/pdf;base64,aGk=' } },
          ],
        },
        {
          role: 'assistant',
          content: 'Both.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
            { id: 'call_2', type: 'function', function: { name: 'see', arguments: '' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_2', content: 'two' },
        { role: 'tool', tool_call_id: 'call_1', content: '{"seen": true}' },
        { role: 'user', content: 'And now?' },
      ],
      tools: [
        {
          type: 'function',
          function: {
            name: 'look',
            description: 'Looks.',
            parameters: { type: 'object', properties: { a: { type: 'number' } }, $schema: 'x' },
          },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'look' } },
    })
    t.strictSame(lost, { refuse: [], report: [] })
    t.strictSame(wire, {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'What is it?' },
            { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
            { fileData: { fileUri: 'https://example.com/a.png', mimeType: 'image/png' } },
            { inlineData: { mimeType: 'audio/wav', data: 'aGk=' } },
            { inlineData: { mimeType: 'application/pdf', data: 'aGk=' } },
          ],
        },
        {
          role: 'model',
          parts: [
            { text: 'Both.' },
            {
              functionCall: { id: 'call_1', name: 'look', args: { a: 1 } },
              thoughtSignature: 'skip_thought_signature_validator',
            },
            { functionCall: { id: 'call_2', name: 'see', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'call_1', name: 'look', response: { seen: true } } },
            { functionResponse: { id: 'call_2', name: 'see', response: { output: 'two' } } },
          ],
        },
        { role: 'user', parts: [{ text: 'And now?' }] },
      ],
      tools: [
        {
          functionDeclarations: [
            {
              name: 'look',
              description: 'Looks.',
              parametersJsonSchema: {
                type: 'object',
                properties: { a: { type: 'number' } },
                $schema: 'x',
              },
            },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['look'] } },
      generationConfig: {
        temperature: 0,
        topP: 0.9,
        candidateCount: 2,
        seed: 7,
        presencePenalty: 0.5,
        frequencyPenalty: 0,
        stopSequences: ['END'],
        responseLogprobs: true,
        logprobs: 2,
        maxOutputTokens: 3000,
        thinkingConfig: { thinkingLevel: 'LOW', includeThoughts: true },
        responseMimeType: 'application/json',
        responseJsonSchema: { type: 'object', additionalProperties: false },
      },
    })
  },
)

t.test(
  '[FMT-9] what a generative upstream cannot say is refused or reported by name',
  async (t) => {
    const least = { model: 'gemini-3-flash', messages: [{ role: 'user', content: 'Hello' }] }
    const tool = { type: 'function', function: { name: 'a' } }
    const rows = [
      // chat field                              refused                   reported
      [{}, [], []],
      [{ n: 8, logprobs: true }, [], []],
      [{ n: 9 }, ['sampling.choices'], []],
      [{ logit_bias: { 1: 5 } }, ['sampling.logitBias'], []],
      [{ logit_bias: {} }, [], []],
      [{ stop: ['a', 'b', 'c', 'd', 'e', 'f'] }, ['sampling.stop'], []],
      [{ response_format: { type: 'json_object' } }, [], []],
      [{ modalities: ['text', 'image'] }, [], []],
      [{ modalities: ['text', 'audio'], audio: { voice: 'x', format: 'wav' } }, ['audio'], []],
      [{ web_search_options: {} }, ['web_search_options'], []],
      [{ tools: [{ type: 'custom', custom: {} }] }, ['tools.custom'], []],
      [{ tools: [tool], parallel_tool_calls: false }, [], ['parallelTools']],
      [{ tools: [tool], tool_choice: 'none' }, [], []],
      [{ user: 'u', metadata: { a: 'b' } }, [], ['user', 'metadata']],
      [{ service_tier: 'flex', verbosity: 'low' }, [], ['service_tier', 'verbosity']],
      [{ reasoning_effort: 'xhigh' }, [], ['reasoning.effort']],
      [{ reasoning_effort: 'none' }, [], ['reasoning.off']],
    ] as const
    for (const [fields, refuse, report] of rows) {
      const { lost } = toGenerative({ ...least, ...fields } as unknown as JsonObject)
      t.strictSame(lost, { refuse, report }, JSON.stringify(fields))
    }
  },
)

t.test('[FMT-9] text and counts reach a chat client', async (t) => {
  const reply = chat.encodeReply(generative.decodeReply(body('thinking')), requested) as JsonObject
  t.match(reply, {
    id: 'tHk1aAbB',
    model: 'asked',
    choices: [{ message: { content: '27 * 453 = 12,231' }, finish_reason: 'stop' }],
  })
  t.strictSame(reply.usage, {
    prompt_tokens: 2060,
    completion_tokens: 110,
    total_tokens: 2170,
    prompt_tokens_details: { cached_tokens: 2048, text_tokens: 2060 },
    completion_tokens_details: { reasoning_tokens: 98, text_tokens: 110 },
  })
  const image = chat.encodeReply(generative.decodeReply(body('image')), requested) as JsonObject
  t.strictSame(image.usage, {
    prompt_tokens: 270,
    completion_tokens: 1295,
    total_tokens: 1565,
    prompt_tokens_details: { image_tokens: 258, text_tokens: 12 },
    completion_tokens_details: { image_tokens: 1290, text_tokens: 5 },
  })
  const speech = chat.encodeReply(generative.decodeReply(body('speech')), requested) as JsonObject
  t.match(speech.usage, { completion_tokens_details: { audio_tokens: 96 } })
})

t.test('[FMT-9] a stream reaches a chat client as its body would', async (t) => {
  for (const name of [
    'text',
    'thinking',
    'tools',
    'tools-without-ids',
    'image',
    'code',
    'search',
  ]) {
    const { extra_content: _, ...result } = message(name)
    t.strictSame(streamedMessage(decode(stream(name))), result, name)
  }
  const encoder = chat.encodeStream(requested)
  const bytes = Buffer.concat(decode(stream('thinking')).flatMap((event) => encoder.push(event)))
  const seals = JSON.stringify(message('thinking').extra_content)
  t.ok(bytes.toString('utf8').includes(`"extra_content":${seals}`))
})

t.test('[FMT-9] calls reach a chat client, and their signatures come home', async (t) => {
  const result = message('tools')
  t.match(result, {
    content: 'I will look up both.',
    tool_calls: [
      { id: 'fc_01A', function: { name: 'get_weather', arguments: '{"city":"München","days":2}' } },
      { id: 'fc_01B', function: { name: 'get_time', arguments: '{}' } },
    ],
  })
  const { wire } = toGenerative({
    model: 'gemini-3-flash',
    messages: [
      { role: 'user', content: 'Go.' },
      result,
      { role: 'tool', tool_call_id: 'fc_01A', content: 'Sun.' },
      { role: 'tool', tool_call_id: 'fc_01B', content: '12' },
    ],
  })
  const [, answer, results] = wire.contents as JsonObject[]
  t.strictSame(answer?.parts, partsOf(body('tools')))
  t.match(results?.parts, [
    { functionResponse: { id: 'fc_01A', name: 'get_weather' } },
    { functionResponse: { id: 'fc_01B', name: 'get_time' } },
  ])
})

t.test('[FMT-9] thoughts reach a chat client, and the seal comes home without them', async (t) => {
  const result = message('thinking')
  t.match(result, { reasoning_content: '**Multiplying**\n\n27 * 453: first 27 * 400.' })
  const history = [
    { role: 'user', content: 'Multiply.' },
    result,
    { role: 'user', content: 'Sure?' },
  ]
  const { wire, lost } = toGenerative({ model: 'gemini-3-flash', messages: history })
  const parts = (wire.contents as JsonObject[])[1]?.parts as JsonObject[]
  t.ok(parts.some(({ thoughtSignature }) => thoughtSignature === 'c2lnbmVkIHRob3VnaHRz'))
  t.ok(parts.some(({ text }) => text === '27 * 453 = 12,231'))
  t.notOk(parts.some(({ text, thoughtSignature }) => text === '' && !thoughtSignature))
  t.strictSame(lost, { refuse: [], report: ['reasoning.history'] })
})

t.test('[FMT-9] sources and pictures reach a chat client', async (t) => {
  const { annotations, content } = message('search') as {
    annotations: JsonObject[]
    content: string
  }
  t.match(annotations, [
    { type: 'url_citation', url_citation: { url: 'https://example.com/a', title: 'example.com' } },
    { type: 'url_citation', url_citation: { url: 'https://example.org/b' } },
  ])
  const place = annotations[0]?.url_citation as { start_index: number; end_index: number }
  t.equal(content.slice(place.start_index, place.end_index), 'Zürich is a city')
  t.match(message('image'), {
    content: 'Here it is:',
    images: [{ type: 'image_url', image_url: { url: /^data:image\/png;base64,iVBORw0/ } }],
  })
  const logprobs = chat.encodeReply(
    generative.decodeReply(body('logprobs')),
    requested,
  ) as JsonObject
  t.match(logprobs.choices, [
    {
      logprobs: {
        content: [
          {
            token: 'Yes',
            logprob: -0.01,
            top_logprobs: [
              { token: 'Yes', logprob: -0.01 },
              { token: 'No', logprob: -4.5 },
            ],
          },
          { token: '.', logprob: -0.2 },
        ],
      },
    },
  ])
})

t.test('[FMT-9] every end has its word for a chat client', async (t) => {
  const reason = (name: string) => {
    const reply = chat.encodeReply(generative.decodeReply(body(name)), requested) as JsonObject
    return (reply.choices as JsonObject[]).map(({ finish_reason }) => finish_reason)
  }
  t.strictSame(reason('text'), ['stop'])
  t.strictSame(reason('max-tokens'), ['length'])
  t.strictSame(reason('tools'), ['tool_calls'])
  t.strictSame(reason('safety'), ['content_filter'])
  t.strictSame(reason('two-answers'), ['stop', 'length'])
})

t.test('[FMT-9] a generative request goes out as a chat request', async (t) => {
  const { wire, lost } = toChat({
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'Look.' },
          { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
          { fileData: { mimeType: 'image/jpeg', fileUri: 'https://example.com/a' } },
        ],
      },
      {
        role: 'model',
        parts: [
          { text: 'Hm.', thought: true },
          { text: 'I will.' },
          { functionCall: { id: 'fc_1', name: 'look', args: { a: 1 } }, thoughtSignature: 'sig' },
          { functionCall: { id: 'fc_2', name: 'look', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'fc_1', name: 'look', response: { output: 'Seen.' } } },
          {
            functionResponse: {
              id: 'fc_2',
              name: 'look',
              response: { n: 1 },
              parts: [{ inlineData: { mimeType: 'image/png', data: 'aGk=' } }],
            },
          },
          { text: 'And?' },
        ],
      },
    ],
    tools: [{ functionDeclarations: [{ name: 'look', parameters: { type: 'OBJECT' } }] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    generationConfig: {
      temperature: 0,
      maxOutputTokens: 100,
      stopSequences: ['END'],
      candidateCount: 2,
      responseMimeType: 'application/json',
      responseSchema: { type: 'OBJECT', properties: { a: { type: 'INTEGER' } } },
      thinkingConfig: { thinkingLevel: 'LOW', includeThoughts: true },
    },
    safetySettings: [],
  })
  t.strictSame(lost, { refuse: [], report: ['safetySettings'] })
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }
  const call = (id: string, input: string) => ({
    id,
    type: 'function',
    function: { name: 'look', arguments: input },
  })
  t.strictSame(wire, {
    model: 'gemini-3-flash',
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          image,
          { type: 'image_url', image_url: { url: 'https://example.com/a' } },
        ],
      },
      {
        role: 'assistant',
        content: 'I will.',
        reasoning_content: 'Hm.',
        tool_calls: [call('fc_1', '{"a":1}'), call('fc_2', '{}')],
      },
      { role: 'tool', tool_call_id: 'fc_1', content: 'Seen.' },
      { role: 'tool', tool_call_id: 'fc_2', content: '{"n":1}' },
      { role: 'user', content: [image, { type: 'text', text: 'And?' }] },
    ],
    tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
    tool_choice: 'required',
    max_tokens: 100,
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0,
    n: 2,
    stop: ['END'],
    reasoning_effort: 'low',
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'answer',
        schema: { type: 'object', properties: { a: { type: 'integer' } } },
      },
    },
  })
})

t.test('[FMT-9] what only a generative upstream has is refused or reported by name', async (t) => {
  const least = { contents: [{ parts: [{ text: 'Hello' }] }] }
  const rows = [
    [{}, [], []],
    [{ cachedContent: 'cachedContents/a' }, ['cachedContent'], []],
    [{ tools: [{ google_search: {} }] }, [], ['tools.googleSearch']],
    [{ tools: [{ codeExecution: {} }] }, [], ['tools.codeExecution']],
    [{ labels: { a: 'b' } }, [], ['labels']],
    [
      { generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW', topK: 4 } },
      [],
      ['sampling.topK', 'generationConfig.mediaResolution'],
    ],
  ] as const
  for (const [fields, refuse, report] of rows) {
    const { lost } = toChat({ ...least, ...fields } as unknown as JsonObject)
    t.strictSame(lost, { refuse, report }, JSON.stringify(fields))
  }
})

t.test('[FMT-9] a chat stream with tools side by side reaches a generative client', async (t) => {
  const call = (index: number, rest: JsonObject) => delta({ tool_calls: [{ index, ...rest }] })
  const named = (index: number) =>
    call(index, {
      id: `call_${index}`,
      type: 'function',
      function: { name: 'look', arguments: '' },
    })
  const input = (index: number, text: string) => call(index, { function: { arguments: text } })
  const events = chatStream(
    delta({ role: 'assistant', content: '' }),
    delta({ reasoning_content: 'Hm' }),
    delta({ reasoning_content: '.' }),
    delta({ content: 'Two:' }),
    named(0),
    named(1),
    input(1, '{"b":2}'),
    input(0, '{"a":1}'),
    delta({}, 'tool_calls'),
    {
      choices: [],
      usage: {
        prompt_tokens: 30,
        completion_tokens: 9,
        total_tokens: 39,
        prompt_tokens_details: { cached_tokens: 10 },
        completion_tokens_details: { reasoning_tokens: 4 },
      },
    },
  )
  const expected = {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { text: 'Hm.', thought: true },
            { text: 'Two:' },
            { functionCall: { id: 'call_0', name: 'look', args: { a: 1 } } },
            { functionCall: { id: 'call_1', name: 'look', args: { b: 2 } } },
          ],
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    modelVersion: 'asked',
    responseId: 'chatcmpl-1',
    usageMetadata: {
      promptTokenCount: 30,
      cachedContentTokenCount: 10,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 4,
      totalTokenCount: 39,
    },
  }
  t.strictSame(generative.encodeReply(events, requested), expected)
  t.strictSame(
    encode(events).map((chunk) => partsOf(chunk)[0]),
    [
      { text: 'Hm', thought: true },
      { text: '.', thought: true },
      { text: 'Two:' },
      { functionCall: { id: 'call_0', name: 'look', args: { a: 1 } } },
      { functionCall: { id: 'call_1', name: 'look', args: { b: 2 } } },
      { text: '' },
    ],
  )
  t.strictSame(
    generative.encodeReply(decode(bytesOf(events)), requested),
    expected,
    'fold of the stream',
  )
})

t.test('[FMT-9] annotations and log-probabilities of chat reach a generative client', async (t) => {
  const annotation = {
    type: 'url_citation',
    url_citation: { start_index: 0, end_index: 5, url: 'https://a', title: 'A' },
  }
  const token = { token: 'Grüße', logprob: -0.5, bytes: null, top_logprobs: [] }
  const events = chatStream(
    { choices: [{ index: 0, delta: { content: 'Grüße' }, logprobs: { content: [token] } }] },
    delta({ annotations: [annotation] }),
    delta({}, 'length'),
  )
  t.match(generative.encodeReply(events, requested), {
    candidates: [
      {
        finishReason: 'MAX_TOKENS',
        groundingMetadata: {
          groundingChunks: [{ web: { uri: 'https://a', title: 'A' } }],
          groundingSupports: [
            {
              segment: { startIndex: 0, endIndex: 7, text: 'Grüße' },
              groundingChunkIndices: [0],
            },
          ],
        },
        logprobsResult: { chosenCandidates: [{ token: 'Grüße', logProbability: -0.5 }] },
      },
    ],
  })
})

t.test('[FMT-9] what a tool returned comes out of the object a library put it in', async (t) => {
  const table = [
    [{ output: 'Rain.' }, 'Rain.'],
    [{ result: 'Rain.' }, 'Rain.'],
    [{ name: 'look', content: 'Rain.' }, 'Rain.'],
    [{ result: { sky: 'grey' } }, '{"sky":"grey"}'],
    [{ result: [1, 2] }, '[1,2]'],
    [{ output: '{"sky":"grey"}' }, '{"sky":"grey"}'],
    [{ result: 0 }, '0'],
    [{ result: '' }, ''],
    // These are what the tool returned.
    [{ sky: 'grey' }, '{"sky":"grey"}'],
    [{ result: 'Rain.', at: 'noon' }, '{"result":"Rain.","at":"noon"}'],
    [{ name: 'Bergen', content: 'Rain.' }, '{"name":"Bergen","content":"Rain."}'],
    [{ result: null }, '{"result":null}'],
  ] as const
  for (const [response, content] of table) {
    const functionCall = { id: 'a', name: 'look', args: {} }
    const request = {
      contents: [
        { role: 'user', parts: [{ text: 'Look.' }] },
        { role: 'model', parts: [{ functionCall }] },
        { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'look', response } }] },
      ],
    } as unknown as JsonObject
    const { wire, lost } = toChat(request)
    t.match(wire.messages, [{}, {}, { role: 'tool', tool_call_id: 'a', content }])
    t.strictSame(lost, { refuse: [], report: [] }, JSON.stringify(response))
    const sent = { model: 'gemini-3-flash', stream: false }
    const again = generative.encodeRequest(generative.decodeRequest(request, sent))
    t.strictSame(again.contents, request.contents, 'the same format gets it as it came')
  }
})
