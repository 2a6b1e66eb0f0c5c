/** What ten admins who look at everything cost those who are relayed meanwhile: the same paced load with and without them, in turns. */
import { setTimeout as pause } from 'node:timers/promises'
import { Agent } from 'undici'
import type { Gateway } from './installation.js'
import { quantile } from './measure.js'
import type { Asked } from './requests.js'

const admins = 10
/** Between two pages of one admin. */
const thinkMs = 500
const perSecond = 40
const seconds = 10
const rounds = 3
const goal = 1.2

export async function compareRelay(gateway: Gateway, asked: readonly Asked[]): Promise<boolean> {
  const { key } = await gateway.admin.token()
  const paths = asked.flatMap((one) => one.paths)
  await relayed(gateway.origin, key, 2)
  const [calm, watched]: [number[], number[]] = [[], []]
  let pages: readonly number[] = []
  for (let round = 0; round < rounds; round++) {
    calm.push(...(await relayed(gateway.origin, key, seconds)))
    const crowd = begin(gateway, paths, round)
    watched.push(...(await relayed(gateway.origin, key, seconds)))
    pages = [...pages, ...(await crowd.stop())]
  }
  const ratio = quantile(watched, 0.95) / quantile(calm, 0.95)
  console.log(
    `relay p50 and p95 alone ${shown(calm)} ms, beside ${admins} admins ${shown(watched)} ms; ` +
      `p95 ratio ${ratio.toFixed(2)} (goal ${goal}); ` +
      `${pages.length} pages meanwhile, ${shown(pages)} ms`,
  )
  return ratio <= goal
}

/** Latencies of requests that begin in an even pace, whatever became of those before. */
async function relayed(origin: string, key: string, during: number): Promise<readonly number[]> {
  const agent = new Agent({ connections: 64, pipelining: 1 })
  const body = JSON.stringify({
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: 'How are accounts kept?' }],
    max_tokens: 64,
  })
  const taken: number[] = []
  const one = async () => {
    const begun = performance.now()
    const response = await agent.request({
      ...{ origin, path: '/v1/chat/completions', method: 'POST', body },
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    await response.body.dump()
    if (response.statusCode !== 200) throw new Error(`a request got ${response.statusCode}`)
    taken.push(performance.now() - begun)
  }
  const all: Promise<void>[] = []
  for (let n = 0; n < during * perSecond; n++) {
    all.push(one())
    await pause(1000 / perSecond)
  }
  await Promise.all(all)
  await agent.close()
  return taken
}

function begin({ admin }: Gateway, paths: readonly string[], round: number) {
  let going = true
  const taken: number[] = []
  const done = Promise.all(
    Array.from({ length: admins }, async (_, who) => {
      for (let turn = 0; going; turn++) {
        const path = paths[(round * 101 + who * 37 + turn * 13) % paths.length]!
        const begun = performance.now()
        await admin.call('GET', path)
        taken.push(performance.now() - begun)
        await pause(thinkMs)
      }
    }),
  )
  return {
    async stop(): Promise<readonly number[]> {
      going = false
      await done
      return taken
    },
  }
}

function shown(taken: readonly number[]): string {
  return [0.5, 0.95].map((share) => quantile(taken, share).toFixed(1)).join(' / ')
}
