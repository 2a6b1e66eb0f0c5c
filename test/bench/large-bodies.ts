/**
 * `npm run bench -- --large-bodies`: memory and event loop with large bodies both ways, one at a time and twenty at once. Memory is
 * what the process had at most above what it had before any of them, by the body; what is refused has to be so by a status.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, FormData, request } from 'undici'
import { largeBodyGateway, type TurnsTarget } from './gateways.js'

const goals = { timesBody: 2.5, turnMs: 50 }
const atOnce = 20
const mib = 1024 * 1024

interface Scenario {
  readonly name: string
  readonly bodyBytes: number
  send(target: TurnsTarget): Promise<number>
}

export async function runLargeBodies(): Promise<void> {
  const upstream = await startUpstream()
  console.log(
    `${''.padEnd(44)}${['MB more', 'x body', 'turn ms', 'seconds', 'statuses'].map((name) => name.padStart(10)).join('')}`,
  )
  try {
    for (const scenario of scenarios) {
      for (const count of [1, atOnce]) await row(upstream.origin, scenario, count)
    }
    console.log(`\nGoals: ${goals.timesBody} x body, turns of ${goals.turnMs} ms.`)
  } finally {
    upstream.stop()
  }
}

/** In a process of its own: what others left in memory would be counted. */
async function row(upstream: string, scenario: Scenario, count: number): Promise<void> {
  const target = await largeBodyGateway(upstream)
  try {
    const idle = await idleBytes(target)
    const started = performance.now()
    const statuses = await Promise.all(Array.from({ length: count }, () => scenario.send(target)))
    const seconds = (performance.now() - started) / 1000
    const more = resident(target.pid, 'VmHWM') - idle
    const served = Math.max(1, statuses.filter((status) => status === 200).length)
    const cells = [
      (more / mib).toFixed(0),
      (more / scenario.bodyBytes / served).toFixed(2),
      (await target.longestTurn()).toFixed(0),
      seconds.toFixed(1),
      `  ${countsOf(statuses)}`,
    ]
    console.log(
      `${`${scenario.name}, ${count} at once`.padEnd(44)}${cells.map((cell) => cell.padStart(10)).join('')}`,
    )
  } finally {
    await target.stop()
  }
}

/** Resident once everything was compiled that a small body needs. */
async function idleBytes(target: TurnsTarget): Promise<number> {
  for (const model of ['bench-chat', 'bench-messages']) {
    const small = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello.' }] })
    for (let at = 0; at < 20; at++) await post(target, '/v1/chat/completions', small)
  }
  await target.longestTurn()
  return resident(target.pid, 'VmRSS')
}

function countsOf(statuses: readonly number[]): string {
  const counts = new Map<number, number>()
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${count} x ${status}`).join(', ')
}

/** Bytes. */
function resident(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text)?.[1]) * 1024
}

const agent = new Agent({ connections: atOnce, headersTimeout: 120_000, bodyTimeout: 120_000 })

async function post(
  { origin, key }: TurnsTarget,
  path: string,
  body: string | FormData,
): Promise<number> {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
  const { statusCode, body: reply } = await request(`${origin}${path}`, {
    method: 'POST',
    headers: { ...type, authorization: `Bearer ${key}` },
    body,
    dispatcher: agent,
  })
  await reply.dump({ limit: Number.MAX_SAFE_INTEGER })
  return statusCode
}

const picture = 'iVBORw0KGgoAAAANSUhEUgAA'.repeat(Math.ceil((5 * mib) / 24))
const pictures = Array.from({ length: 4 }, () => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${picture}` },
}))
const chatOf = (model: string) =>
  JSON.stringify({ model, max_tokens: 16, messages: [{ role: 'user', content: pictures }] })
const chats = { same: chatOf('bench-chat'), converted: chatOf('bench-messages') }
const audio = new Blob([Buffer.alloc(25 * mib, 'waybill')])

const scenarios: readonly Scenario[] = [
  {
    name: '20 MB of pictures',
    bodyBytes: chats.same.length,
    send: (target) => post(target, '/v1/chat/completions', chats.same),
  },
  {
    name: '20 MB of pictures, converted',
    bodyBytes: chats.converted.length,
    send: (target) => post(target, '/v1/chat/completions', chats.converted),
  },
  {
    name: 'form of 25 MB of audio',
    bodyBytes: audio.size,
    send(target) {
      const form = new FormData()
      form.set('model', 'whisper-1')
      form.set('file', audio, 'talk.mp3')
      return post(target, '/v1/audio/transcriptions', form)
    },
  },
  {
    name: 'reply of 50 MB',
    bodyBytes: 50 * mib,
    send: (target) =>
      post(
        target,
        '/v1/images/generations',
        JSON.stringify({ model: 'gpt-image-1', prompt: 'a large one', n: 1 }),
      ),
  },
]

/** Takes any body and returns what each path of a vendor returns; a picture has 50 MB. */
async function startUpstream(): Promise<{ readonly origin: string; stop(): void }> {
  const whole = Buffer.from(
    JSON.stringify({ created: 1, data: [{ b64_json: 'A'.repeat(50 * mib) }] }),
  )
  const replies: readonly (readonly [string, unknown])[] = [
    ['/chat/completions', chatReply],
    ['/messages', messagesReply],
    ['/transcriptions', { text: 'All is well.' }],
  ]
  const server = createServer((incoming, response) => {
    incoming.resume()
    incoming.on('end', () => {
      const [, reply] = replies.find(([path]) => incoming.url?.endsWith(path)) ?? []
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(reply === undefined ? whole : JSON.stringify(reply))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => server.close().closeAllConnections(),
  }
}

const chatReply = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'bench-chat',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'A picture.' }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 },
}
const messagesReply = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'bench-messages',
  content: [{ type: 'text', text: 'A picture.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 10, output_tokens: 3 },
}
