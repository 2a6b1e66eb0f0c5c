/** WeChat by a helper server, whose one address is all there is to know of it. */
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import create from '../../../plugins/oauth/wechat/index.js'
import { conformingOAuth, type OAuthSubject } from '../../conformance/index.js'
import { bench } from '../../conformance/oauth-bench.js'
import { byPath, manifestText } from './recorded.js'

const userPath = '/api/wechat/user'
const openid = 'o6_bmjrPTlm6_2sgVt7hMZOPfL2M'
const recorded = { [userPath]: { json: { success: true, message: '', data: openid } } }
const settings = {
  serverAddress: 'https://wechat.example',
  serverToken: 'wechat-token-5Tz91Q',
}

const subject: OAuthSubject = {
  manifest: manifestText('wechat'),
  create,
  settings,
  signIns: [
    {
      name: 'a person who typed their code',
      params: { code: '482913' },
      upstream: byPath(recorded),
      identity: { subject: openid, username: undefined, email: undefined },
    },
  ],
  refusals: [
    {
      name: 'a wrong code',
      upstream: byPath({
        [userPath]: { json: { success: false, message: 'wechat-token-5Tz91Q' } },
      }),
      message: /^The WeChat server does not know this code\.$/,
    },
    {
      name: 'a success that names nobody',
      upstream: byPath({ [userPath]: { json: { success: true, message: '', data: '' } } }),
      message: /no id/,
    },
    {
      name: 'a success that is text',
      upstream: byPath({ [userPath]: { json: { success: 'true', data: openid } } }),
      message: /did not say whose/,
    },
    {
      name: 'a status that is an error, whatever the body states',
      upstream: byPath({ [userPath]: { status: 403, json: { success: true, data: openid } } }),
      message: /status 403/,
    },
  ],
  subjectAt: { call: ({ url }) => url.pathname === userPath, member: 'data' },
}

conformingOAuth((title, run) => t.test(title, async () => run()), subject)

t.test('the helper server is queried below its address, with the token in a header', async (t) => {
  for (const serverAddress of ['https://wechat.example/below', 'https://wechat.example/below//']) {
    const upstream = byPath({ '/below/api/wechat/user': recorded[userPath]! })
    const own = { ...settings, serverAddress }
    const at = bench(subject, { settings: own, signIn: { ...subject.signIns[0]!, upstream } })
    await at.identify()
    const [call] = at.world.calls
    t.equal(String(call?.url), 'https://wechat.example/below/api/wechat/user?code=482913')
    t.equal(call?.method, 'GET')
    t.equal(call?.headers.authorization, 'wechat-token-5Tz91Q')
  }
})

t.test('blanks around a typed code are nobody’s fault', async (t) => {
  const at = bench(subject, { signIn: subject.signIns[0], params: { code: ' 482913\t' } })
  t.equal((await at.identify()).subject, openid)
  t.equal(at.world.calls[0]?.url.search, '?code=482913')
})

t.test('what could be no code goes to nobody', async (t) => {
  for (const code of ['4829 13', '4829&token=1', '../user', '4829#', '密码', 'x'.repeat(65)]) {
    const at = bench(subject, { signIn: subject.signIns[0], params: { code } })
    t.match(await at.refused(), {
      message: 'This is no code of the WeChat account.',
      field: 'code',
    })
    t.equal(at.world.calls.length, 0)
  }
})

t.test('a wrong code is the fault of who typed it, a broken helper is not', async (t) => {
  const refused = (json: object) => {
    const upstream = byPath({ [userPath]: { json: json as JsonObject } })
    return bench(subject, { signIn: { ...subject.signIns[0]!, upstream } }).refused()
  }
  t.match(await refused({ success: false, message: 'no', data: '' }), { field: 'code' })
  t.notOk('field' in (await refused({ success: true, data: '' })))
  t.notOk('field' in (await refused({ message: 'no' })))
})

t.test('without a token, or with an address that is none, it is not ready', async (t) => {
  const ready = (own: object) =>
    bench(subject, { settings: { ...settings, ...own } }).provider.ready()
  t.equal(ready({}), true)
  t.equal(ready({ serverToken: '' }), false)
  t.equal(ready({ serverAddress: 'wechat.example' }), false)
})
