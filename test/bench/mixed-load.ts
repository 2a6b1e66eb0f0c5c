/**
 * Traffic of every kind at once: whole replies and streams, as they came and converted, clients that leave, requests that fail. Begins
 * with a job, ends on `stop`, and sends what came of its requests once the last one is over.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'

export interface MixedJob {
  readonly origin: string
  readonly key: string
  readonly clients: number
}

/** How many requests ended with each status, and how many were left by their client. */
export type Outcomes = Readonly<Record<string, number>>

const leavers = 0.2
const text = 'Tell me how the relay keeps its accounts, in plain words. '.repeat(30)
const picture = `data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUgAA'.repeat(40_000)}`

type Kind = (stream: boolean) => {
  readonly path: string
  readonly body: string
  readonly key?: string
}

const asChat = (model: string, content: unknown) => (stream: boolean) => ({
  path: '/v1/chat/completions',
  body: JSON.stringify({ model, stream, max_tokens: 64, messages: [{ role: 'user', content }] }),
})
const large = [{ type: 'image_url', image_url: { url: picture } }]

/** One is as frequent as another. */
const kinds: readonly Kind[] = [
  asChat('bench-chat', text),
  asChat('bench-chat', text),
  asChat('bench-messages', text),
  asChat('bench-generative', text),
  asChat('bench-messages', large),
  (stream) => ({ ...asChat('bench-chat', text)(stream), path: '/v1/messages' }),
  asChat('no-such-model', text),
  (stream) => ({ ...asChat('bench-chat', text)(stream), key: 'sk-nobody' }),
  () => ({ path: '/v1/chat/completions', body: '{"model":' }),
]

let running = false
let clients: Promise<void>[] = []
let outcomes: Record<string, number> = {}

process.on('message', async (message: MixedJob | 'stop') => {
  if (message !== 'stop') {
    running = true
    clients = Array.from({ length: message.clients }, () => client(message))
    return
  }
  running = false
  await Promise.all(clients)
  process.send?.(outcomes)
  outcomes = {}
})
process.on('disconnect', () => process.exit(0))

async function client({ origin, key }: MixedJob): Promise<void> {
  const agent = new Agent({ connections: 1 })
  for (let at = Math.floor(Math.random() * kinds.length); running; at++) {
    const outcome = await one(agent, { origin, key, kind: kinds[at % kinds.length]! })
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    await pause(20)
  }
  await agent.close()
}

async function one(
  dispatcher: Agent,
  { origin, key, kind }: { readonly origin: string; readonly key: string; readonly kind: Kind },
): Promise<string> {
  const stream = Math.random() < 0.5
  const leaves = Math.random() < leavers
  const signal = leaves ? AbortSignal.timeout(Math.floor(Math.random() * 300)) : null
  const { path, body, key: own = key } = kind(stream)
  try {
    const { statusCode, body: reply } = await request(`${origin}${path}`, {
      method: 'POST',
      dispatcher,
      headers: {
        authorization: `Bearer ${own}`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
      },
      body,
      signal,
    })
    await reply.text()
    return String(statusCode)
  } catch (error) {
    if (signal?.aborted) return 'left'
    return `error ${(error as NodeJS.ErrnoException).code ?? String(error)}`
  }
}
