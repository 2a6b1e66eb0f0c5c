/** Services that take files before the call that names them, behind a gateway with two channels to two of them. */
import type { Test } from 'tap'
import { model, type ScriptedGateway, scriptedGateway } from './scripted-gateway.js'
import { type Recorded, type ScriptedUpstream, scriptedUpstream } from './upstream.js'

export interface TwoChannels extends ScriptedGateway {
  /** Of the channel that is tried second. */
  readonly second: ScriptedUpstream
  /** Asks by the key of a client: what comes back, what it cost, and which requests each upstream got. */
  ask(path: string, body: object): Promise<Asked>
  /** The same for a client that leaves as soon as the first upstream was sent so many requests. */
  leave(body: object, requests: number): Promise<Omit<Asked, 'status' | 'text'>>
}

interface Asked {
  readonly status: number
  readonly text: string
  readonly cost: bigint
  readonly sent: readonly Recorded[]
  readonly sentSecond: readonly Recorded[]
}

/** A pair of channels of its own for every model, since one that failed rests for a while. */
export async function twoChannels(
  t: Pick<Test, 'teardown'>,
  channel: Readonly<Record<string, unknown>>,
  models: readonly string[],
): Promise<TwoChannels> {
  const second = await scriptedUpstream(t)
  const gateway = await scriptedGateway(t, { channel })
  const { admin, upstream, url, key } = gateway
  const prices = (ratio: number) =>
    Object.fromEntries([model, ...models].map((one) => [one, ratio]))
  await admin.option('ModelRatio', prices(1))
  await admin.option('CompletionRatio', prices(4))
  for (const one of models) {
    const fields = { ...channel, key: 'upstream-key', models: one, group: 'default' }
    await admin.channel({ ...fields, name: `${one} 1`, base_url: upstream.url, priority: 10 })
    await admin.channel({ ...fields, name: `${one} 2`, base_url: second.url, priority: 0 })
  }
  const authorised = { authorization: `Bearer ${key}`, 'anthropic-version': '2023-06-01' }
  const post = (path: string, body: object, signal?: AbortSignal) =>
    fetch(url + path, {
      method: 'POST',
      headers: { ...authorised, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })

  async function watched<Result>(run: () => Promise<Result>) {
    const before = await gateway.balance()
    upstream.requests.length = 0
    second.requests.length = 0
    const result = await run()
    const cost = before - (await gateway.balance())
    return { ...result, cost, sent: [...upstream.requests], sentSecond: [...second.requests] }
  }

  return {
    ...{ ...gateway, second },
    ask: (path, body) =>
      watched(async () => {
        const answer = await post(path, body)
        return { status: answer.status, text: await answer.text() }
      }),
    leave: (body, requests) =>
      watched(async () => {
        const leaving = new AbortController()
        const answer = post('/v1/chat/completions', body, leaving.signal).catch(() => undefined)
        const last = await upstream.request(requests - 1)
        leaving.abort()
        await Promise.all([answer, last.aborted])
        return {}
      }),
  }
}

/** The parts of a form, by their names: the text of a field, and of a file its name and bytes as well. */
export function partsOf({ headers, bytes }: Recorded): ReadonlyMap<string, FormPart> {
  const boundary = /boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1]
  if (boundary === undefined) return new Map()
  const pieces = bytes.toString('latin1').split(`--${boundary}`).slice(1, -1)
  return new Map(
    pieces.map((piece) => {
      const end = piece.indexOf('\r\n\r\n')
      const head = piece.slice(0, end)
      const name = /name="([^"]*)"/.exec(head)?.[1] ?? ''
      const filename = /filename="([^"]*)"/.exec(head)?.[1]
      return [name, { filename, bytes: Buffer.from(piece.slice(end + 4, -2), 'latin1') }]
    }),
  )
}

export interface FormPart {
  readonly filename: string | undefined
  readonly bytes: Buffer
}

export const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const base64 = picture.toString('base64')

/** The same question about a picture in the words of three formats: where it goes, and what it holds. */
export function questions(
  model: string,
): readonly (readonly [format: string, path: string, body: object])[] {
  const image_url = { url: `data:image/png;base64,${base64}` }
  const content = [
    { type: 'text', text: 'What is it?' },
    { type: 'image_url', image_url },
  ]
  const source = { type: 'base64', media_type: 'image/png', data: base64 }
  const blocks = [content[0], { type: 'image', source }]
  const parts = [{ text: 'What is it?' }, { inlineData: { mimeType: 'image/png', data: base64 } }]
  return [
    ['chat', '/v1/chat/completions', { model, user: 'u-1', messages: [{ role: 'user', content }] }],
    [
      'messages',
      '/v1/messages',
      {
        ...{ model, max_tokens: 100, metadata: { user_id: 'u-1' } },
        messages: [{ role: 'user', content: blocks }],
      },
    ],
    [
      'generative',
      `/v1beta/models/${model}:generateContent`,
      { contents: [{ role: 'user', parts }] },
    ],
  ]
}
