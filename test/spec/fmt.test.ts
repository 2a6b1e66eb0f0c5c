import t from 'tap'
import { ask, model, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, events, json } from '../kit/upstream.js'

const gateway = await scriptedGateway(t)
const { upstream } = gateway

t.beforeEach(() => {
  upstream.requests.length = 0
  upstream.script(json(200, chat.whole('Hi.', 10, 2)))
})

t.test('[FMT-4] a value outside its type or range is a 400 that names the field', async (t) => {
  const table: [Record<string, unknown>, string][] = [
    [{ temperature: 2.1 }, 'temperature'],
    [{ temperature: 'warm' }, 'temperature'],
    [{ top_p: -0.1 }, 'top_p'],
    [{ n: 0 }, 'n'],
    [{ n: 1.5 }, 'n'],
    [{ stream: 'yes' }, 'stream'],
    [{ presence_penalty: 3 }, 'presence_penalty'],
    [{ frequency_penalty: -3 }, 'frequency_penalty'],
    [{ max_tokens: -1 }, 'max_tokens'],
    [{ seed: 'x' }, 'seed'],
    [{ reasoning_effort: 'heroic' }, 'reasoning_effort'],
    [{ tools: {} }, 'tools'],
    [{ modalities: 'text' }, 'modalities'],
    [{ messages: 'hello' }, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ model: 7 }, 'model'],
  ]
  for (const [fields, field] of table) {
    const answer = await gateway.chat(ask(fields))
    const { error } = (await answer.json()) as { error: Record<string, string> }
    t.equal(answer.status, 400, JSON.stringify(fields))
    t.match(error.param, field)
    t.match(error.message, field)
  }
  t.equal(upstream.requests.length, 0, 'nothing was relayed')
})

t.test('[FMT-4] defaults describe and are never injected', async (t) => {
  await gateway.chat(ask())
  t.strictSame(upstream.requests[0]?.json, ask())
})

t.test(
  '[FMT-5] an explicit 0, "" and false reach the upstream and an omitted field stays omitted',
  async (t) => {
    t.teardown(upstream.takes('a verbatim body is the business of client and upstream'))
    const sent = ask({
      temperature: 0,
      presence_penalty: 0,
      max_tokens: 0,
      user: '',
      stream: false,
      parallel_tool_calls: false,
      vendor_extension: { deep: [0, '', false, null] },
    })
    await gateway.chat(sent)
    t.strictSame(upstream.requests[0]?.json, sent)
  },
)

t.test(
  '[FMT-5] what the gateway has no reason to change reaches the upstream in the very bytes it came in',
  async (t) => {
    t.teardown(upstream.takes('fields no vendor has show that bytes pass', ['x_big', 'x_one']))
    const model = JSON.stringify(ask().model)
    const sent = `{ "model" : ${model},"messages":[{"role":"user","content":"Hi \\u00e9"}], "x_big": 12345678901234567890, "x_one":1.0 }`
    await gateway.chat(sent)
    t.equal(upstream.requests[0]?.text, sent)
    upstream.script(events(chat.delta('Hi'), chat.stop(), chat.done))
    const streamed = sent.replace(' }', ',"stream":true }')
    await (await gateway.chat(streamed)).text()
    const requested = streamed.replace('true }', 'true,"stream_options":{"include_usage":true} }')
    t.equal(upstream.requests[1]?.text, requested)
  },
)

t.test(
  '[FMT-5] what a client wrote about usage in its stream goes out, and a client that wants none sees none',
  async (t) => {
    const streamed = (stream_options?: object) =>
      ask({ stream: true, ...(stream_options && { stream_options }) })
    const asking = { include_usage: true }
    const table = [
      // The client writes              what goes out
      [undefined, asking],
      [{ include_usage: false }, { include_usage: false }],
      [{ include_usage: false, include_obfuscation: false }],
      [{ include_obfuscation: false }, { include_obfuscation: false, ...asking }],
      [asking, asking],
    ] as const
    for (const [written, sent = written] of table) {
      upstream.script(events(chat.delta('Hi'), chat.stop(), chat.usage(10, 2), chat.done))
      const message = await (await gateway.chat(streamed(written))).text()
      t.strictSame(upstream.requests.at(-1)?.json?.stream_options, sent)
      t.equal(message.includes('"usage"'), written === asking, JSON.stringify(written))
    }
  },
)

t.test('[FMT-5] a stream the upstream counts nothing of is counted here', async (t) => {
  upstream.script(events(chat.delta('Hi there.'), chat.stop(), chat.done))
  const stream_options = { include_usage: false }
  const answer = await gateway.chat(ask({ stream: true, stream_options }))
  await answer.text()
  const id = answer.headers.get('x-request-id')
  const row = (await gateway.logs()).find(({ request_id }) => request_id === id)
  t.ok(row!.quota > 0)
  t.match(JSON.parse(row!.other), { admin_info: { local_count_tokens: ['input', 'output'] } })
})

t.test('[FMT-5] a channel may be set not to ask for usage', async (t) => {
  const silent = await scriptedGateway(t, { channel: { settings: { disable_stream_usage: true } } })
  silent.upstream.script(events(chat.delta('Hi'), chat.stop(), chat.done))
  await (await silent.chat(ask({ stream: true }))).text()
  t.strictSame(silent.upstream.requests[0]?.json, ask({ stream: true }))
})

t.test(
  '[FMT-7] a converted answer tells its text tokens, and members beyond the format where the channel asks for them',
  async (t) => {
    const answer = {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ functionCall: { name: 'look', args: {} }, thoughtSignature: 'c2ln' }],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 4, totalTokenCount: 14 },
    }
    for (const allow_extra_members of [false, true]) {
      const gemini = await scriptedGateway(t, {
        channel: { type: 24, settings: { allow_extra_members } },
      })
      gemini.upstream.script(json(200, answer))
      const result = (await (await gemini.chat(ask())).json()) as Record<string, unknown>
      t.match(result.usage, {
        prompt_tokens_details: { text_tokens: 10 },
        completion_tokens_details: { text_tokens: 4 },
      })
      t.equal(JSON.stringify(result).includes('extra_content'), allow_extra_members)
      gemini.upstream.script(events(`data: ${JSON.stringify(answer)}\n\n`))
      const streamed = await (await gemini.chat(ask({ stream: true }))).text()
      t.equal(streamed.includes('extra_content'), allow_extra_members)
      t.match(streamed, '"name":"look"')
    }
  },
)

t.test('[ERR-3] an upstream does not speak in headers of the gateway', async (t) => {
  upstream.script(json(200, chat.whole('Hi.', 10, 2), { 'x-waybill-lost': 'forged' }))
  const answer = await gateway.chat(ask())
  t.equal(answer.headers.get('x-waybill-lost'), null)
})

t.test('[FMT-6] the same-format body keeps both limit fields as sent', async (t) => {
  const sent = ask({ max_tokens: 5, max_completion_tokens: 7 })
  await gateway.chat(sent)
  t.strictSame(upstream.requests[0]?.json, sent)
})

t.test(
  '[FMT-10] a stream ends with [DONE] and its pieces arrive as they are written',
  async (t) => {
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    upstream.script(
      events(chat.delta('one'), held, chat.delta('two'), chat.stop(), chat.usage(5, 2), chat.done),
    )
    const answer = await gateway.chat(ask({ stream: true }), { 'accept-encoding': 'gzip, br' })
    const reader = answer.body!.getReader()
    const first = Buffer.from((await reader.read()).value!).toString()
    t.match(first, 'one')
    t.notMatch(first, 'two')
    release()
    let rest = ''
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      rest += Buffer.from(piece.value).toString()
    }
    t.ok(rest.endsWith('data: [DONE]\n\n'))
    t.equal(answer.headers.get('content-encoding'), null)
    t.match(answer.headers.get('content-type'), 'text/event-stream')
  },
)

t.test('[FMT-16] a declared content type other than JSON is a 415', async (t) => {
  const answer = await gateway.chat('model=x', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  t.equal(answer.status, 415)
  t.match(await answer.json(), { error: { code: 'unsupported_media_type', param: 'content-type' } })
})

t.test(
  '[FMT-17] a field the upstream refuses comes back as a safe 4xx and is not retried',
  async (t) => {
    upstream.script(
      json(400, {
        error: {
          message: 'Unknown parameter: vendor_thing',
          type: 'invalid_request_error',
          param: 'vendor_thing',
        },
      }),
    )
    t.teardown(upstream.takes('the upstream of this test knows no such field', ['vendor_thing']))
    const answer = await gateway.chat(ask({ vendor_thing: 1 }))
    t.equal(answer.status, 400)
    t.match(await answer.json(), { error: { param: 'vendor_thing' } })
    t.equal(upstream.requests.length, 1)
  },
)

t.test(
  '[FMT-14] the model list is that of the token, by its group and its own limits',
  async (t) => {
    const list = async (key: string) => {
      const answer = await fetch(`${gateway.url}/v1/models`, {
        headers: { authorization: `Bearer ${key}` },
      })
      return ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
    }
    t.strictSame(await list(gateway.key), [model])
    const limited = await gateway.admin.token({
      model_limits_enabled: true,
      model_limits: 'another-model',
    })
    t.strictSame(await list(limited.key), [])
  },
)
