/** Streams of very many small pieces that wait for their turn. */
import t from 'tap'
import { model, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, events } from '../kit/upstream.js'

const gateway = await scriptedGateway(t)

const call = (index: number, more: object) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index, ...more }] } }] })}\n\n`

t.test('[FMT-3] a call in very many pieces behind another one arrives whole', async (t) => {
  const opening = (index: number) =>
    call(index, { id: `call_${index}`, type: 'function', function: { name: 'f', arguments: '' } })
  const piece = call(1, { function: { arguments: ' ' } }).repeat(1000)
  const pieces = Array.from({ length: 200 }, () => piece)
  gateway.upstream.script(
    events(opening(0), opening(1), ...pieces, chat.stop('tool_calls'), chat.usage(1, 1), chat.done),
  )
  const response = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: {
      'x-api-key': gateway.key,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify({
      ...{ model, stream: true, max_tokens: 100 },
      messages: [{ role: 'user', content: 'hello' }],
    }),
  })
  const text = await response.text()
  t.equal(text.split('"partial_json":" "').length - 1, 200_000)
  t.match(text, 'event: message_stop')
})
