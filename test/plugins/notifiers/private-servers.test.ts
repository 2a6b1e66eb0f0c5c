/** Gotify and Bark at home: servers the operator lists, by the notices of a whole gateway. */
import t from 'tap'
import { startGateway } from '../../kit/gateway.js'
import { json, scriptedUpstream } from '../../kit/upstream.js'

const { admin } = await startGateway(t)
const home = await scriptedUpstream(t)

t.beforeEach(() => {
  home.requests.length = 0
  home.script(json(200, { id: 1 }))
})

const places: Readonly<Record<string, (address: string) => object>> = {
  gotify: (gotify_url) => ({ notify_type: 'gotify', gotify_url, gotify_token: 'app-token' }),
  bark: (address) => ({ notify_type: 'bark', bark_url: `${address}/device` }),
}
const options: Readonly<Record<string, string>> = {
  gotify: 'GotifyPrivateHosts',
  bark: 'BarkPrivateHosts',
}

const save = (setting: object) => admin.call('PUT', '/api/user/setting', setting)
const delivered = async () => (await admin.must('POST', '/api/user/setting/test', {})).delivered

for (const [place, setting] of Object.entries(places)) {
  const option = options[place]!

  t.test(`[API-9] ${place} reaches a private server only where it is listed`, async (t) => {
    t.equal((await save(setting(home.url))).status, 400)
    await admin.option(option, ['127.0.0.0/8'])
    t.equal((await save(setting(home.url))).status, 200)
    t.equal(await delivered(), true)
    t.equal(home.requests.length, 1)

    home.script(json(302, {}, { location: 'http://169.254.169.254/latest/meta-data/' }))
    t.equal(await delivered(), false, 'a redirect is a refusal')

    const other = Object.values(options).find((name) => name !== option)!
    await admin.option(other, ['127.0.0.0/8'])
    await admin.option(option, [])
    home.requests.length = 0
    t.equal(await delivered(), false, 'and no more when the list is empty')
    t.equal(home.requests.length, 0)
    await admin.option(other, [])
  })
}

t.test('[API-9] webhooks reach no private server, whatever is listed for others', async (t) => {
  for (const option of Object.values(options)) await admin.option(option, ['127.0.0.0/8'])
  t.equal((await save({ notify_type: 'webhook', webhook_url: home.url })).status, 400)
  t.equal(home.requests.length, 0)
})
