/** What single vendors do differently, through the whole gateway. */
import t from 'tap'
import { ask, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, events, json } from '../kit/upstream.js'

t.test('[FMT-10] a vendor that ends its streams without a terminator is completed', async (t) => {
  const gateway = await scriptedGateway(t, {
    channel: { type: 27, settings: { api: 'chat-completions' } },
  })
  gateway.upstream.script(events(chat.delta('Hi'), chat.stop(), chat.usage(10, 2)))
  const answer = await gateway.chat(ask({ stream: true }))
  const text = await answer.text()
  t.match(text, /"content":"Hi"/)
  t.match(text, /data: \[DONE\]\n\n$/)
  t.notMatch(text, /error/)
})

t.test('[FMT-10] one that breaks off before its last word is not', async (t) => {
  const gateway = await scriptedGateway(t, { channel: { type: 35 } })
  gateway.upstream.script(events(chat.delta('Hi')))
  const text = await (await gateway.chat(ask({ stream: true }))).text()
  t.match(text, /upstream_broke_off/)
  t.notMatch(text, /\[DONE\]/)
})

t.test(
  '[ERR-2] an error a vendor hides in a 200 is reported as one, and costs nothing',
  async (t) => {
    const gateway = await scriptedGateway(t, { channel: { type: 35 } })
    const before = await gateway.balance()
    const hidden = { base_resp: { status_code: 1026, status_msg: 'input new_sensitive' } }
    gateway.upstream.script(json(200, { ...chat.whole('', 0, 0), choices: null, ...hidden }))
    const answer = await gateway.chat(ask())
    t.equal(answer.status, 400)
    t.match(await answer.json(), { error: { code: 'upstream_rejected' } })
    t.equal(await gateway.balance(), before)
  },
)
