/** How far a wallet can go below its floor: floods of streams and whole answers on one small wallet (decision 0035). */
import t from 'tap'
import { estimateTokens } from '../../kernel/toolkit/format/token-estimate.js'
import { management } from '../kit/management.js'
import { ask, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, endlessEvents, json } from '../kit/upstream.js'

const gateway = await scriptedGateway(t)
const { admin, upstream } = gateway
const password = 'correct horse battery'

/** Somebody with so much in the wallet, and a key. */
async function spender(username: string, quota: number) {
  const { id } = await admin.must('POST', '/api/user/', { username, password })
  await admin.credit(id, quota)
  const self = management(gateway.url)
  await self.login(username, password)
  const { key } = await self.token()
  const balance = async () => {
    await gateway.gateway.idle()
    return self.balance()
  }
  const chat = (body: object) => gateway.chat(body, { authorization: `Bearer ${key}` })
  return { self, balance, chat }
}

const words = 'one two three four five six seven eight nine ten '

t.test(
  'a flood of streams nobody counts never takes a wallet below nothing (M1, M27)',
  async (t) => {
    const { balance, chat: call } = await spender('flood', 2_000)
    const pieces = Array.from({ length: 400 }, () => chat.delta(words))
    upstream.script(endlessEvents(...pieces))
    await admin.option('HoldOutputTokens', '8')
    let delivered = 0
    const ends = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const answer = await call(ask({ stream: true }))
        const text = await answer.text()
        delivered += text.split(words).length - 1
        return text.includes('out_of_funds') || answer.status === 403
      }),
    )
    t.ok(ends.every(Boolean), 'each was ended for money')
    const left = await balance()
    t.ok(left >= 0n, `${left}`)
    const charged = 2_000 - Number(left)
    const cost = delivered * 4 * estimateTokens(words)
    t.ok(delivered > 0)
    t.ok(cost <= charged * 1.1, `pieces worth ${cost} were delivered for ${charged}`)
  },
)

t.test('whole answers beyond the wallet are withheld, and leave no debt (M27)', async (t) => {
  const { balance, chat: call } = await spender('whole', 100)
  const long = chat.whole(words.repeat(2_000), 10, 20_000)
  const { usage: _, ...silent } = long
  for (const body of [long, silent]) {
    upstream.script(json(200, body))
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(ask())))
    for (const answer of answers) {
      const text = await answer.text()
      t.equal(answer.status, 403)
      t.match(JSON.parse(text), { error: { code: 'insufficient_user_quota' } })
      t.notMatch(text, 'seven')
    }
    const left = await balance()
    t.ok(left >= 0n, `${left}`)
  }
})

t.test('the row of a withheld answer states what was not charged (M27)', async (t) => {
  const { balance, chat: call } = await spender('once', 100)
  upstream.script(json(200, chat.whole('Long.', 10, 20_000)))
  await (await call(ask())).text()
  const charged = 100n - (await balance())
  t.ok(charged > 0n)
  const [row] = await gateway.logs()
  t.equal(BigInt(row!.quota), charged)
  t.match(JSON.parse(row!.other), {
    outcome: 'outOfFunds',
    failure: 'insufficient_user_quota',
    uncharged_quota: 80_010 - Number(charged),
  })
})

t.test('[BILL-1] the hold covers the limit of every answer requested', async (t) => {
  const { balance, chat: call } = await spender('choices', 1_000)
  upstream.script(json(200, chat.whole('Hi.', 10, 2)))
  t.equal((await call(ask({ max_tokens: 100, n: 2 }))).status, 200)
  const left = await balance()
  const requestCount = upstream.requests.length
  const answer = await call(ask({ max_tokens: 100, n: 3 }))
  t.equal(answer.status, 403, 'three times 100 at 4 each is more than there is')
  t.equal(upstream.requests.length, requestCount)
  t.equal(await balance(), left)
})
