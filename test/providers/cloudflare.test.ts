/** Cloudflare: the account in the path, wherever it is reported, and refusals in the words of its API. */
import t from 'tap'
import create from '../../providers/cloudflare/index.js'
import { adapterOf } from '../conformance/provider.js'

const chat = adapterOf(create(), 'chat')
const context = { now: 0, forwarded: { headers: {} }, model: '@cf/meta/llama', stream: false }
const ai = 'https://api.cloudflare.com/client/v4/accounts/0a1b/ai'

function urlOf(baseUrl: string, account?: string): string {
  const settings = account === undefined ? {} : { account }
  const channel = { id: 1, type: 39, baseUrl, settings }
  return chat.address({ kind: 'none' }, channel, { key: 'k' }, context).url
}

t.test('the account is a setting or stands in the base URL', async (t) => {
  const base = 'https://api.cloudflare.com'
  for (const [baseUrl, account] of [
    [base, ' 0a1b '],
    [`${base}/client/v4/`, '0a1b'],
    [`${base}/client/v4/accounts/0a1b`, undefined],
    [ai, 'other'],
    [`${ai}/v1/`, undefined],
  ] as const) {
    t.equal(urlOf(baseUrl, account), `${ai}/v1/chat/completions`, baseUrl)
  }
  const gateway = 'https://gateway.ai.cloudflare.com/v1/0a1b/my-gateway/workers-ai'
  t.equal(urlOf(`${gateway}/v1`), `${gateway}/v1/chat/completions`)
  const embeddings = adapterOf(create(), 'embeddings')
  const channel = { id: 1, type: 39, baseUrl: ai, settings: {} }
  t.equal(
    embeddings.address({ kind: 'none' }, channel, { key: 'k' }, context).url,
    `${ai}/v1/embeddings`,
  )
})

t.test(
  'without an account, or with one that would reach elsewhere, nothing is called',
  async (t) => {
    for (const account of [undefined, '', '../x', 'a/b', 'a?b']) {
      t.throws(
        () => urlOf('https://api.cloudflare.com', account),
        { code: 'channel:address_refused' },
        JSON.stringify(account),
      )
    }
  },
)

t.test('a refusal that is the client’s own is reported in the words of the service', async (t) => {
  const body = { success: false, errors: [{ code: 5006, message: 'AiError: Bad input: x' }] }
  t.match(chat.fail(400, {}, Buffer.from(JSON.stringify(body))), {
    blame: 'client',
    message: /Bad input: x/,
  })
})
