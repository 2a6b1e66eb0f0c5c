/** MiniMax through the whole gateway: its streams close behind the reason to stop, without the word that ends them. */
import t from 'tap'
import { ask, model, scriptedGateway } from '../kit/scripted-gateway.js'
import { brokenEvents, chat, events } from '../kit/upstream.js'

const gateway = await scriptedGateway(t, { channel: { type: 35 } })
const { upstream, url, key } = gateway

const whole = [chat.role(), chat.delta('Hello'), chat.delta(' there'), chat.stop()]

/** A streamed answer to a client of the generative format, out of the chat format. */
async function generated(): Promise<string> {
  const answer = await fetch(`${url}/v1beta/models/${model}:streamGenerateContent?alt=sse`, {
    method: 'POST',
    headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }),
  })
  return answer.text()
}

t.test('[FMT-10] a streamed answer without a terminator is whole for a chat client', async (t) => {
  upstream.script(events(...whole, chat.usage(10, 2)))
  const text = await (await gateway.chat(ask({ stream: true }))).text()
  t.match(text, 'Hello')
  t.ok(text.endsWith('\n\ndata: [DONE]\n\n'))
  t.notMatch(text, 'error')
  const [row] = await gateway.logs()
  t.match(row, { prompt_tokens: 10, completion_tokens: 2, quota: 18 })
})

t.test('a client that wants one body gets it from such a stream', async (t) => {
  upstream.script(events(...whole, chat.usage(10, 2)))
  const answer = await gateway.chat(ask())
  t.match(await answer.json(), { choices: [{ message: { content: 'Hello there' } }] })
})

t.test('usage that never came is counted here', async (t) => {
  upstream.script(events(...whole))
  const text = await (await gateway.chat(ask({ stream: true }))).text()
  t.ok(text.endsWith('data: [DONE]\n\n'))
  const [row] = await gateway.logs()
  t.ok(row!.completion_tokens > 0)
})

t.test('two answers are whole when both have stopped, and broken before', async (t) => {
  const answer = (index: number, reason: string | null) =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index, delta: { content: 'x' }, finish_reason: reason }] })}\n\n`
  const two = [answer(0, null), answer(1, null), answer(0, 'stop')]
  upstream.script(events(...two))
  t.match(await (await gateway.chat(ask({ stream: true, n: 2 }))).text(), 'upstream_broke_off')
  upstream.script(events(...two, answer(1, 'stop')))
  const text = await (await gateway.chat(ask({ stream: true, n: 2 }))).text()
  t.ok(text.endsWith('data: [DONE]\n\n'))
})

t.test('a stream cut before its reason to stop, or torn down, is broken', async (t) => {
  upstream.script(events(...whole.slice(0, 3)))
  t.match(await (await gateway.chat(ask({ stream: true }))).text(), 'upstream_broke_off')
  upstream.script(brokenEvents(...whole))
  const torn = await (await gateway.chat(ask({ stream: true }))).text()
  t.notMatch(torn, '[DONE]')
  t.match(torn, '"error"')
})

t.test('a client of another format sees the answer through to its end', async (t) => {
  upstream.script(events(...whole, chat.usage(10, 2)))
  t.match(await generated(), '"finishReason":"STOP"')
  const [row] = await gateway.logs()
  t.match(row, { prompt_tokens: 10, completion_tokens: 2 })
  upstream.script(events(...whole.slice(0, 3)))
  t.match(await generated(), '"error"')
})
