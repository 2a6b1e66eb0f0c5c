/** One service of Nova for all samples, and what people do with each: every function resolves with what can be compared. */
import { createHmac } from 'node:crypto'
import { json, startUpstream, type TestUpstream } from '../testing/upstream.js'
import type { Operated } from './installation.js'
import { names } from './samples.js'

const completion = {
  ...{ id: '1', object: 'chat.completion', created: 1, model: 'nova-1' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 },
}
const person = {
  id: '71',
  login: 'ada',
  name: 'Ada',
  email: 'ada@nova.example',
  email_verified: true,
}
const secret = 's3cret-of-callbacks'

/** Responses of every service, by its path or the end of it. */
const replies: Readonly<Record<string, unknown>> = {
  chat: completion,
  completions: completion,
  messages: {},
  checkouts: { id: 'pay_1', url: 'https://pay.nova.example/pay_1' },
  token: { access_token: 'token-of-nova', token_type: 'bearer' },
  me: person,
  '/v1/clips': { id: 'c1' },
  '/v2/clips': { id: 'c2' },
  c1: { id: 'c1', status: 'done', url: 'https://cdn.nova.example/c1.mp4', seconds: 4 },
  // It is not done while the test lasts.
  c2: { id: 'c2', status: 'working' },
}

export const startNova = (): Promise<TestUpstream> =>
  startUpstream((request, response) => {
    const reply = replies[request.path] ?? replies[request.path.split('/').at(-1)!]
    return json(reply === undefined ? 404 : 200, reply ?? {})(request, response)
  })

/** Prices, options and channels for all samples. Resolves with the ids of the channels. */
export async function furnish({ admin }: Operated, { url }: TestUpstream) {
  const { payment, oauth, notifier, guard } = names
  const rates = [{ when: { resolution: '720p' }, price: '0.002' }]
  const options = {
    ServerAddress: 'https://gateway.example',
    ModelRatio: { 'nova-1': 1, 'plain-1': 1 },
    TaskRateCards: { 'nova-clip': { unit: 'second', rates } },
    [`payment.${payment}.address`]: url,
    [`payment.${payment}.key`]: 'k3y-of-the-merchant',
    [`payment.${payment}.callbackSecret`]: secret,
    [`payment.${payment}.enabled`]: true,
    [`oauth.${oauth}.address`]: url,
    [`oauth.${oauth}.clientId`]: 'client-1',
    [`oauth.${oauth}.clientSecret`]: 'a secret of the test',
    [`oauth.${oauth}.enabled`]: true,
    [`notifier.${notifier}.address`]: url,
    [`notifier.${notifier}.token`]: 'token-1',
    [`guard.${guard}.words`]: 'teapot',
  }
  for (const [name, value] of Object.entries(options)) await admin.option(name, value)
  return {
    chat: await addChannel(admin, url, 'chat'),
    clips: await addChannel(admin, url, 'clips'),
    plain: await addChannel(admin, url, 'plain'),
  }
}

const channels = {
  chat: { type: `${names.provider}/nova`, models: 'nova-1', settings: { region: 'us' } },
  clips: { type: `${names.task}/clips`, models: 'nova-clip' },
  plain: { type: 'openai/openai', models: 'plain-1' },
} as const

/** Resolves with its id. */
export function addChannel(
  admin: Operated['admin'],
  url: string,
  which: keyof typeof channels,
): Promise<number> {
  const fields = { ...channels[which], key: 'nova-key', base_url: url, group: 'default' }
  return admin.channel({ ...fields, name: which })
}

export const chat = ({ send }: Operated, model: string, content = 'Hello'): Promise<Response> =>
  send('POST', '/v1/chat/completions', { model, messages: [{ role: 'user', content }] })

export async function submitClip({ send }: Operated): Promise<string> {
  const submitted = await send('POST', '/v1/video/generations', {
    model: 'nova-clip',
    prompt: 'A cat',
  })
  return ((await submitted.json()) as { task_id: string }).task_id
}

/** Chooses the sample for root's notices, and sends one. Resolves with whether it was delivered. */
export async function notify({ admin }: Operated): Promise<boolean> {
  const { notifier } = names
  await admin.call('PUT', '/api/user/setting', {
    ...{ notify_type: notifier, [`${notifier}_room`]: 'operators' },
  })
  const { body } = await admin.call('POST', '/api/user/setting/test', {})
  return body.data?.delivered === true
}

/** Resolves with the number of the order, as Nova was given it. */
export async function order({ admin }: Operated, nova: TestUpstream): Promise<string> {
  const placed = { gateway: names.payment, amount: 10 }
  await admin.must('POST', '/api/user/topup/order', placed)
  return String(nova.requests.findLast(({ path }) => path.endsWith('/checkouts'))?.json?.order)
}

/** Nova reports the order as paid. */
export function callBack({ process }: Operated, orderNo: string): Promise<Response> {
  const body = JSON.stringify({
    ...{ id: `event-${orderNo}`, type: 'payment.paid', order: orderNo, payment: `pay-${orderNo}` },
    ...{ amount: '10.00', currency: 'USD' },
  })
  const seconds = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return fetch(`${process.url}/api/payment/${names.payment}/callback`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [`${names.payment}-signature`]: `${seconds}.${signature}`,
    },
    body,
  })
}

export interface SignedIn {
  /** Where Nova asks people who they are. */
  readonly authorizeUrl: string
  readonly success: boolean
  readonly message: string
  readonly cookie: string
}

/** A person signs in with Nova, in a browser of their own. */
export async function signInByNova({ process }: Operated): Promise<SignedIn> {
  const post = async (path: string, body: unknown, cookie = '') => {
    const headers = { 'content-type': 'application/json', cookie }
    const response = await fetch(`${process.url}${path}`, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    })
    const set = response.headers.getSetCookie().map((line) => line.split(';')[0])
    return { body: (await response.json()) as Reply, cookie: set.join('; ') }
  }
  const begun = await post('/api/oauth/state', { provider: names.oauth, intent: 'login' })
  const { state, authorize_url: authorizeUrl } = begun.body.data ?? { state: '', authorize_url: '' }
  const finished = await post(`/api/oauth/${names.oauth}`, { code: 'code-1', state }, begun.cookie)
  return { authorizeUrl, ...finished.body, cookie: finished.cookie }
}

interface Reply {
  readonly success: boolean
  readonly message: string
  readonly data: { readonly state: string; readonly authorize_url: string } | null
}
