/** An OAuth provider of somebody else, in a folder of its own: the guide's example, and some that go too far. */
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import type { ByteSource } from '../../../kernel/contract/bytes.js'
import type { Manifest } from '../../../kernel/contract/manifest.js'
import type { OAuthProvider } from '../../../kernel/contract/oauth.js'
import type { Egress, EgressRequest } from '../../../kernel/contract/services/egress.js'
import { declaredSettings } from '../../../kernel/registry/declared-settings.js'
import { conformingOAuth } from '../../conformance/index.js'
import { found, manifestOf, registryOf, stateOf } from '../../kernel/registry/plugins.js'
import { guideEntry, guideManifest } from './guide.js'
import { byPath } from './recorded.js'

interface Folder {
  readonly manifest: string
  /** Text of `index.js`. */
  readonly entry: string
}

const stored: Readonly<Record<string, string>> = {
  clientId: 'acme-client',
  clientSecret: 'acme-secret-6Fd2',
  address: 'https://set.example/below',
}

/** As an admin stored them. */
function storedSettings(manifest: Manifest) {
  const settings = manifest.settings.map((field) => ({ ...field, default: stored[field.name] }))
  return declaredSettings({ ...manifest, settings })
}

/** Plugins in a folder outside the tree, and a way out that answers JSON by path and remembers who was queried. */
async function outside(
  t: Test,
  folders: Readonly<Record<string, Folder>>,
  answers: Readonly<Record<string, object>> = {},
) {
  const requests: EgressRequest[] = []
  const open: Egress['open'] = async (request) => {
    requests.push(request)
    const json = JSON.stringify(answers[new URL(request.url).pathname] ?? {})
    return { status: 200, headers: { 'content-type': 'application/json' }, body: whole(json) }
  }
  const files = Object.entries(folders).map(([name, { manifest, entry }]) => [
    name,
    { 'manifest.json': manifest, 'package.json': '{ "type": "module" }', 'index.js': entry },
  ])
  const registry = await registryOf(
    [found('service.options', {}, () => ({ of: storedSettings }))],
    {
      roots: [pathToFileURL(`${t.testdir(Object.fromEntries(files))}/`)],
      kernelServices: { egress: { open } as Egress },
    },
  )
  await registry.start()
  t.teardown(() => registry.stop())
  return { registry, extensions: registry.service('extensions'), requests }
}

const answer = {
  params: { code: 'code-1' },
  redirectUri: 'https://console.example/oauth/acme',
  codeVerifier: 'verifier-1',
  nonce: 'nonce-1',
  state: 'state-1',
}

t.test('the example of the guide signs people in from a folder of its own', async (t) => {
  const folders = { acme: { manifest: guideManifest, entry: guideEntry } }
  const { extensions, registry, requests } = await outside(t, folders, {
    '/token': { access_token: 'token-1' },
    '/me': { id: 'u_7', name: 'Ada' },
  })
  t.strictSame(
    extensions.list('oauth').map(({ id }) => id),
    ['oauth.acme'],
  )
  t.equal(stateOf(registry, 'oauth.acme')?.state, 'checked', 'it is imported when it is requested')
  const provider = await extensions.oauth('acme')
  t.equal(stateOf(registry, 'oauth.acme')?.state, 'ready')
  t.equal(provider.ready(), true)
  t.strictSame(await provider.identify(answer), { subject: 'u_7', displayName: 'Ada' })
  t.match(requests, [
    { method: 'POST', url: 'https://id.acme.example/token', namedBy: 'admin' },
    { method: 'GET', url: 'https://id.acme.example/me', namedBy: 'admin' },
  ])
  t.match(new URLSearchParams(String(requests[0]?.body)).get('client_secret'), 'acme-secret-6Fd2')
})

t.test('the example of the guide conforms', async (t) => {
  const folder = t.testdir({ 'package.json': '{ "type": "module" }', 'index.js': guideEntry })
  const module = await import(pathToFileURL(`${folder}/index.js`).href)
  const recorded = {
    '/token': { json: { access_token: 'token-of-acme-1' } },
    '/me': { json: { id: 'u_7', name: 'Ada' } },
  }
  conformingOAuth((title, run) => t.test(title, async () => run()), {
    manifest: guideManifest,
    create: module.default,
    settings: { clientId: 'id-1', clientSecret: 'a secret of the test' },
    clientId: 'id-1',
    signIns: [{ name: 'a person', upstream: byPath(recorded), identity: { subject: 'u_7' } }],
    refusals: [
      {
        name: 'a wrong code',
        upstream: byPath({ '/token': { status: 400, json: { error: 'invalid_grant' } } }),
        message: /status 400/,
      },
    ],
    subjectAt: { call: ({ url }) => url.pathname === '/me', member: 'id' },
  })
})

/** Calls the address that the browser brings as its code. */
const caller = `
export default ({ fetch }) => ({
  ready: () => true,
  async identify({ params }) {
    return { subject: String((await fetch(params.code)).status) }
  },
})
`

function callerWith(hosts: readonly string[]): Folder {
  const settings = [{ name: 'address', type: 'string', title: 'Address', default: '' }]
  const manifest = manifestOf('oauth.caller', { hosts, settings, oauth: { style: 'code' } })
  return { manifest: JSON.stringify(manifest), entry: caller }
}

const calling = (provider: OAuthProvider, code: string) =>
  provider.identify({ ...answer, params: { code } })

t.test('a plugin that calls a host its manifest does not name gets nowhere', async (t) => {
  const hosts = ['id.acme.example', '*.acme.test', 'settings.address']
  const { extensions, requests } = await outside(t, { caller: callerWith(hosts) })
  const provider = await extensions.oauth('caller')
  for (const code of [
    'https://evil.example/',
    'https://acme.test/',
    'https://id.acme.example.evil.example/',
    'https://evil-acme.test/',
    'https://id.acme.example@evil.example/',
    'https://set.example:8443/below',
    'http://set.example/below',
    'http://127.0.0.1/',
    'file:///etc/passwd',
    'no address',
  ]) {
    const failure = { code: 'channel:address_refused' }
    await t.rejects(calling(provider, code), { name: 'EgressError', failure }, code)
  }
  t.strictSame(requests, [])
  for (const code of [
    'https://id.acme.example/me',
    'https://eu.acme.test/me',
    'https://set.example/elsewhere',
  ]) {
    t.strictSame(await calling(provider, code), { subject: '200' })
  }
  t.strictSame(
    requests.map(({ namedBy }) => namedBy),
    ['admin', 'admin', 'admin'],
  )
})

t.test('a plugin without hosts calls nobody', async (t) => {
  const { extensions, requests } = await outside(t, { caller: callerWith([]) })
  const provider = await extensions.oauth('caller')
  await t.rejects(calling(provider, 'https://id.acme.example/'), { name: 'EgressError' })
  t.strictSame(requests, [])
})

t.test('a kit holds nothing an OAuth provider has no business with, and is frozen', async (t) => {
  const entry = `
export default (kit) => ({
  ready: () => Object.isFrozen(kit),
  identify: async () => ({ subject: Object.keys(kit).join(' ') }),
})
`
  const { manifest } = callerWith([])
  const { extensions } = await outside(t, { caller: { manifest, entry } })
  const provider = await extensions.oauth('caller')
  t.equal(provider.ready(), true)
  t.strictSame(await provider.identify(answer), { subject: 'settings clock log fetch dial' })
})

t.test('one that is broken states why, and the others go on', async (t) => {
  const { manifest } = callerWith([])
  const { extensions, registry } = await outside(t, {
    acme: { manifest: guideManifest, entry: guideEntry },
    caller: { manifest, entry: 'export default () => { throw new Error("not today") }' },
  })
  const message = 'the plugin "oauth.caller" cannot be used: not today'
  await t.rejects(extensions.oauth('caller'), { message })
  t.match(stateOf(registry, 'oauth.caller'), { state: 'failed', reason: 'not today' })
  t.equal((await extensions.oauth('acme')).ready(), true)
  await t.rejects(extensions.oauth('nobody'), { message: 'there is no plugin "oauth.nobody"' })
})

function whole(text: string): ByteSource {
  return {
    consume(consumer) {
      consumer.data(Buffer.from(text))
      consumer.end()
    },
    resume() {},
    abort() {},
  }
}
