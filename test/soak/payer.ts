/**
 * Clients that pay, from an address of their own: half of their requests stream. `leavers` makes some leave in the middle
 * of their answer. Reports how many were sent, what came of them, and how long the whole answers took.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'

export interface PayerJob {
  readonly origin: string
  readonly key: string
  readonly clients: number
  /** Share of clients that leave early, 0 to 1. */
  readonly leavers: number
}

export interface Paid {
  readonly outcomes: Readonly<Record<string, number>>
  /** Milliseconds of whole answers since last queried. */
  readonly p50: number
  readonly p99: number
}

let outcomes: Record<string, number> = {}
let took: number[] = []

process.on('message', (message: PayerJob | 'paid') => {
  if (message !== 'paid') {
    for (let client = 0; client < message.clients; client += 1) void pay(message)
    return
  }
  const sorted = took.sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  const paid: Paid = { outcomes, p50: at(0.5), p99: at(0.99) }
  outcomes = {}
  took = []
  process.send?.(paid)
})
process.on('disconnect', () => process.exit(0))

async function pay({ origin, key, leavers }: PayerJob): Promise<never> {
  const dispatcher = new Agent({ connect: { localAddress: '127.0.0.2' } })
  for (;;) {
    const stream = Math.random() < 0.5
    const leaving =
      Math.random() < leavers ? AbortSignal.timeout(Math.floor(Math.random() * 400)) : undefined
    const began = performance.now()
    const outcome = await sendRequest(stream, leaving)
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    if (!stream && outcome === '200') took.push(performance.now() - began)
    await pause(50)
  }

  async function sendRequest(stream: boolean, signal: AbortSignal | undefined): Promise<string> {
    try {
      const { statusCode, body } = await request(`${origin}/v1/chat/completions`, {
        method: 'POST',
        dispatcher,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'gpt-4o-mini',
          stream,
          messages: [{ role: 'user', content: 'How do you do?' }],
          max_tokens: 256,
        }),
        ...(signal !== undefined && { signal }),
      })
      const text = await body.text()
      const isWhole = stream ? text.includes('[DONE]') : text.includes('"usage"')
      return statusCode === 200 && !isWhole ? 'not whole' : String(statusCode)
    } catch (error) {
      if (signal?.aborted) return 'left'
      return `error ${(error as NodeJS.ErrnoException).code ?? String(error)}`
    }
  }
}
