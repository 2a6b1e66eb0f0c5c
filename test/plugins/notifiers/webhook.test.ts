/** Webhooks at a real receiver, and at addresses nobody may have the gateway call. */
import { createHmac } from 'node:crypto'
import type { LookupAddress } from 'node:dns'
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { Notice } from '../../../kernel/contract/notifier.js'
import type { AddressPolicy } from '../../../kernel/egress/address-policy.js'
import { createEgress } from '../../../kernel/egress/egress.js'
import { createOutgoing } from '../../../kernel/egress/outgoing.js'
import { declaredSettings } from '../../../kernel/registry/declared-settings.js'
import { readManifest } from '../../../kernel/registry/manifest.js'
import createBark from '../../../plugins/notifiers/bark/index.js'
import createGotify from '../../../plugins/notifiers/gotify/index.js'
import createWebhook from '../../../plugins/notifiers/webhook/index.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import { json, type Script, scriptedUpstream } from '../../kit/upstream.js'

const manifestOf = (name: string) => {
  const url = new URL(`../../../plugins/notifiers/${name}/manifest.json`, import.meta.url)
  return readManifest(readFileSync(url, 'utf8'), 'manifest.json')
}

const notice: Notice = {
  id: 'a-notice',
  type: 'quota_exceed',
  title: 'Low & lower',
  content: 'Left: {{value}} of {{value}}',
  values: ['900', '1000'],
  timestamp: 1_767_225_600,
}

interface World {
  /** Whose manifest it is; absent: the webhook's. */
  readonly notifier?: string
  readonly policy?: AddressPolicy
  readonly addresses?: readonly LookupAddress[][]
}

/** The kit of a gateway whose admins may call private addresses, as users may not. */
function kitOf(t: Pick<Test, 'teardown'>, { notifier, policy, addresses }: World = {}) {
  const manifest = manifestOf(notifier ?? 'webhook')
  const clock = new FakeClock(1_767_225_661_000)
  const answers = [...(addresses ?? [])]
  const egress = createEgress({
    ...{ allowPrivateUpstreams: true, clock, log: quietLog },
    ...(policy && { policy }),
    ...(addresses && {
      resolve: (_name: string, done: (error: null, found: readonly LookupAddress[]) => void) =>
        done(null, answers.length > 1 ? answers.shift()! : answers[0]!),
    }),
  })
  t.teardown(() => egress.close())
  const settings = declaredSettings(manifest)
  const outgoing = createOutgoing({ manifest, settings, egress: () => egress, clock })
  return { settings, clock, log: quietLog, ...outgoing }
}

const everywhere: AddressPolicy = () => true

t.test('[API-9] a receiver can tell who sent a notice and when', async (t) => {
  const receiver = await scriptedUpstream(t)
  receiver.script(json(200, {}))
  const webhook = createWebhook(kitOf(t, { policy: everywhere }))
  const target = { webhook_url: `${receiver.url}/in?a=1`, webhook_secret: 'shared-secret' }
  t.same(await webhook.deliver(notice, target), { kind: 'delivered' })
  const [call] = receiver.requests
  const { id, ...content } = notice
  t.match(call, { method: 'POST', path: '/in?a=1', json: content })
  t.same(Object.keys(call?.json ?? {}), ['type', 'title', 'content', 'values', 'timestamp'])
  const hmac = (text: string) => createHmac('sha256', 'shared-secret').update(text).digest('hex')
  const text = call?.text ?? ''
  t.match(call?.headers, {
    authorization: 'Bearer shared-secret',
    'x-webhook-signature': hmac(text),
    'x-webhook-timestamp': '1767225661',
    'x-webhook-id': id,
    'x-webhook-signature-256': `t=1767225661,v1=${hmac(`1767225661.${text}`)}`,
  })
})

t.test('without a secret nothing is signed', async (t) => {
  const receiver = await scriptedUpstream(t)
  receiver.script(json(204, {}))
  const webhook = createWebhook(kitOf(t, { policy: everywhere }))
  t.same(await webhook.deliver(notice, { webhook_url: receiver.url }), { kind: 'delivered' })
  const names = Object.keys(receiver.requests[0]?.headers ?? {})
  t.notOk(names.some((name) => /authorization|signature/.test(name)))
})

t.test('[LIMIT-8] a receiver that asks for time gets it', async (t) => {
  const receiver = await scriptedUpstream(t)
  const webhook = createWebhook(kitOf(t, { policy: everywhere }))
  const deliver = async (...results: Parameters<typeof json>) => {
    receiver.script(json(...results))
    return webhook.deliver(notice, { webhook_url: receiver.url })
  }
  t.match(await deliver(429, {}, { 'retry-after': '90' }), { kind: 'later', afterMs: 90_000 })
  const at = new Date(1_767_225_661_000 + 300_000).toUTCString()
  t.match(await deliver(503, {}, { 'retry-after': at }), { kind: 'later', afterMs: 300_000 })
  t.match(await deliver(503, {}, { 'retry-after': '9999999' }), { afterMs: 86_400_000 })
  t.notOk('afterMs' in (await deliver(500, {}, { 'retry-after': 'soon' })))
  for (const status of [400, 401, 404, 410, 301, 307]) {
    t.match(await deliver(status, {}, { location: receiver.url }), { kind: 'refused' })
  }
  t.equal(receiver.requests.length, 10)
})

t.test('a long answer is cut, not a failure', async (t) => {
  const receiver = await scriptedUpstream(t)
  const endless: Script = (_, response) => {
    const more = (): void => {
      while (response.write('x'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', more)
    }
    response.writeHead(200)
    more()
  }
  receiver.script(endless)
  const webhook = createWebhook(kitOf(t, { policy: everywhere }))
  t.same(await webhook.deliver(notice, { webhook_url: receiver.url }), { kind: 'delivered' })
  await receiver.requests[0]?.aborted
})

t.test('no way leads inside, however it is written', async (t) => {
  const receiver = await scriptedUpstream(t)
  const { port } = new URL(receiver.url)
  const notifiers = [
    ['webhook_url', createWebhook(kitOf(t))],
    ['gotify_url', createGotify(kitOf(t, { notifier: 'gotify' }))],
    ['bark_url', createBark(kitOf(t, { notifier: 'bark' }))],
  ] as const
  for (const host of [
    ...['127.0.0.1', '169.254.169.254', '2130706433', '0x7f000001', '0177.0.0.1', '127.1'],
    ...['[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '10.0.0.1'],
    ...['192.168.1.1', '100.64.0.1', '0.0.0.0', '[fd00::1]', '[fe80::1]'],
  ]) {
    for (const [field, notifier] of notifiers) {
      const target = { [field]: `http://${host}:${port}/`, gotify_token: 'token' }
      t.match(notifier.faultOf?.(target), new RegExp(`^${field} `), `${field} ${host}`)
      const outcome = await notifier.deliver(notice, target)
      t.match(outcome, { kind: 'refused', reason: new RegExp(`^${field} `) }, `${field} ${host}`)
    }
  }
  t.same(receiver.requests, [])
})

t.test('a name that leads inside is refused, and one that changes its mind too', async (t) => {
  const receiver = await scriptedUpstream(t)
  const { port } = new URL(receiver.url)
  const inside: LookupAddress[] = [{ address: '127.0.0.1', family: 4 }]
  const mixed: LookupAddress[] = [{ address: '93.184.215.14', family: 4 }, ...inside]
  const target = { webhook_url: `http://rebinding.example:${port}/` }
  for (const addresses of [[inside], [mixed]]) {
    const webhook = createWebhook(kitOf(t, { addresses }))
    t.equal(webhook.faultOf?.(target), undefined, 'a name is not looked up before')
    t.match(await webhook.deliver(notice, target), { kind: 'refused', reason: /^webhook_url / })
  }
  t.same(receiver.requests, [])
})

t.test('a redirect to the inside is not followed', async (t) => {
  const receiver = await scriptedUpstream(t)
  const other = await scriptedUpstream(t)
  receiver.script(json(307, {}, { location: `${other.url}/latest/meta-data` }))
  const webhook = createWebhook(kitOf(t, { policy: everywhere }))
  t.match(await webhook.deliver(notice, { webhook_url: receiver.url }), { kind: 'refused' })
  t.same(other.requests, [])
})

t.test('Gotify gets its token in a header; Bark gets encoded words', async (t) => {
  const receiver = await scriptedUpstream(t)
  receiver.script(json(200, {}))
  const kit = kitOf(t, { policy: everywhere })
  const gotify = { gotify_url: `${receiver.url}/push/`, gotify_token: 'tok', gotify_priority: 9 }
  t.same(await createGotify(kit).deliver(notice, gotify), { kind: 'delivered' })
  t.match(receiver.requests[0], {
    path: '/push/message',
    headers: { 'x-gotify-key': 'tok' },
    json: { title: 'Low & lower', message: 'Left: 900 of 1000', priority: 9 },
  })
  const bark = createBark(kit)
  const sendRequest = async (bark_url: string, over: Partial<Notice> = {}) => {
    await bark.deliver({ ...notice, ...over }, { bark_url: `${receiver.url}${bark_url}` })
    return receiver.requests.at(-1)?.path
  }
  const path = '/key/Low%20%26%20lower/Left%3A%20900%20of%201000'
  t.equal(await sendRequest('/key'), path)
  t.equal(await sendRequest('/key/?group=x'), `${path}?group=x`)
  t.equal(
    await sendRequest('/key/{{title}}/{{content}}?a={{title}}'),
    `${path}?a=Low%20%26%20lower`,
  )
  t.equal(await sendRequest('/key', { title: '..', content: '' }), '/key/%20/%20')
  t.equal(
    await sendRequest('/key', { title: '{{content}}', content: '\ud800' }),
    '/key/%7B%7Bcontent%7D%7D/%EF%BF%BD',
  )
})
