/**
 * What the hostile tests share: upstreams that speak each chat-like format, clients that read each of them strictly, and
 * a gateway in between. Prices are 1 for a token in and 4 for one out.
 */
import type { LogRow } from '../kit/gateway.js'
import { type ScriptedGateway, scriptedGateway } from '../kit/scripted-gateway.js'
import { type Script, type ScriptedUpstream, scriptedUpstream } from '../kit/upstream.js'
import { type Client, clients } from './hostile-clients.js'
import { type Dialect, dialectOf, dialects } from './hostile-dialects.js'

export interface Pair {
  readonly client: Client
  readonly dialect: Dialect
  /** For titles. */
  readonly name: string
}

/** Every format of a client on every format of an upstream. */
export const pairs: readonly Pair[] = clients.flatMap((client) =>
  dialects.map((dialect) => ({
    client,
    dialect,
    name: `a ${client.name} client on a ${dialect.name} upstream`,
  })),
)

export interface HostileGateway extends ScriptedGateway {
  /** Where a model whose name ends in `twice` goes once its first channel failed. */
  readonly spare: ScriptedUpstream
  send(pair: Pair, over?: Sending): Promise<Response>
  /** Sends a body as it is written, for a model of an upstream of the chat format; the answer is read as JSON. */
  raw(client: Client, body: string | Buffer, model?: string): Promise<Answer>
  /** What a run costs, and the rows of the log it leaves. */
  charged(run: () => Promise<unknown>): Promise<Charged>
}

interface Sending {
  readonly stream?: boolean
  /** Appended to the name of the model. */
  readonly variant?: '' | Variant
  readonly fields?: object
  readonly signal?: AbortSignal
}

interface Answer {
  readonly status: number
  readonly error: Readonly<Record<string, unknown>> | undefined
}

interface Charged {
  readonly quota: bigint
  readonly rows: readonly (LogRow & { readonly detail: Detail })[]
}

interface Detail {
  readonly failure?: string
  readonly usage_anomaly?: boolean
  readonly admin_info?: { readonly local_count_tokens?: readonly string[] }
}

/** `twice`: a second channel stands behind the first. `strict`: the upstream is cut when the client leaves. */
type Variant = 'twice' | 'strict'

export async function hostileGateway(
  t: Parameters<typeof scriptedGateway>[0],
  options: Parameters<typeof scriptedGateway>[1] = {},
): Promise<HostileGateway> {
  const [first, ...others] = dialects
  const gateway = await scriptedGateway(t, { funds: 1e12, ...options, channel: channelOf(first!) })
  const spare = await scriptedUpstream(t)
  const { admin, upstream, url, key } = gateway
  // Failures are scripted here by the hundred; no channel is to be left alone for them.
  await admin.option('breaker_setting.enabled', false)
  for (const dialect of others) {
    await admin.channel({ ...channelOf(dialect), base_url: upstream.url })
  }
  for (const dialect of dialects) {
    const { model } = dialect
    await admin.channel({
      ...channelOf(dialect, 'strict'),
      base_url: upstream.url,
      models: `${model}-strict`,
      setting: { on_client_gone: 'abort' },
    })
    await admin.channel({
      ...channelOf(dialect, 'spare'),
      base_url: spare.url,
      models: `${model}-twice`,
      priority: 0,
    })
  }
  const models = dialects.flatMap(({ model }) => [model, `${model}-twice`, `${model}-strict`])
  await admin.option('ModelRatio', Object.fromEntries(models.map((name) => [name, 1])))
  await admin.option('CompletionRatio', Object.fromEntries(models.map((name) => [name, 4])))

  const { knex } = gateway.gateway.service('database')
  /** Rows before are distinguished from those after by their ids alone, which asks far less of the gateway than a page of them. */
  const newestIds = (): Promise<readonly string[]> =>
    knex('usage_log').where('type', 2).orderBy('created_at', 'desc').limit(10).pluck('request_id')
  const newest = async (): Promise<readonly LogRow[]> =>
    (await admin.must('GET', '/api/log/?type=2&page_size=10')).items
  const balance = async () => {
    const wallet = (await gateway.gateway.service('ledger').wallets([1])).get(1)!
    if (wallet.held !== 0n) throw new Error(`${wallet.held} is still held`)
    return wallet.posted
  }

  return {
    ...gateway,
    spare,
    send({ client, dialect }, { stream = false, variant = '', fields = {}, signal } = {}) {
      const model = variant === '' ? dialect.model : `${dialect.model}-${variant}`
      return fetch(`${url}${client.path(model, stream)}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          ...client.headers,
        },
        body: JSON.stringify({ ...client.body(model, stream), ...fields }),
        signal,
      })
    },
    async raw(client, body, model = dialects[0]!.model) {
      const answer = await fetch(`${url}${client.path(model, false)}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          ...client.headers,
        },
        body,
      })
      const { error } = (await answer.json()) as Pick<Answer, 'error'>
      return { status: answer.status, error }
    },
    async charged(run) {
      const before = await balance()
      const known = new Set(await newestIds())
      await run()
      await gateway.gateway.idle()
      const rows = (await newest()).filter(({ request_id }) => !known.has(request_id))
      return {
        quota: before - (await balance()),
        rows: rows.map((row) => ({ ...row, detail: JSON.parse(row.other) as Detail })),
      }
    },
  }
}

function channelOf({ name, model, channel }: Dialect, extra = '') {
  return {
    name: `${name} ${extra}`,
    key: 'upstream-key',
    models: `${model},${model}-twice`,
    group: 'default',
    priority: 10,
    ...channel,
  }
}

/** Answers in the format of the path it is called at, whole or as a stream, for 10 tokens in and 3 out. */
export const speak: Script = (request, response) => {
  const dialect = dialectOf(request)
  const usage = dialect.usage(10, 3)
  if (!dialect.streams(request)) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(dialect.whole('Hello there.', usage)))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(streamOf(dialect, ['Hello ', 'there.'], usage))
}

/** A whole stream that states these texts. */
export function streamOf(dialect: Dialect, texts: readonly string[], usage?: object): string {
  return [
    ...dialect.opening(),
    ...texts.map(dialect.text),
    ...dialect.closing(texts.join(''), usage),
  ].join('')
}

/** Writes each piece as one of its own, so that the gateway gets it as one. `break`: the connection then breaks off. */
export function inPieces(pieces: Iterable<Buffer>, last: 'end' | 'break' = 'end'): Script {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces) response.write(piece)
    if (last === 'end') response.end()
    else response.socket?.destroySoon()
  }
}

/** A stream cut behind every byte: inside characters, inside line ends, everywhere. */
export function* byteByByte(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += 1) yield bytes.subarray(at, at + 1)
}

export { type Client, clients, type Dialect, dialectOf, dialects }
