/** What upstreams count, left out or made up (M10, M12, M21). */
import t from 'tap'
import { json } from '../kit/upstream.js'
import { hostileGateway, inPieces, pairs, streamOf } from './hostile-kit.js'

const gateway = await hostileGateway(t)
const { upstream } = gateway
const text = 'Hello there, my friend.'
/** The most that is charged of a report that cannot be: decision 0036. */
const most = { input: 2_200_000, output: 530_000 }

interface Case {
  readonly results: readonly [input: unknown, output: unknown] | undefined
  /** What is charged for; undefined: what was counted here. */
  readonly input?: number
  readonly output?: number
  readonly anomaly?: true
  /** Charged at what can be. */
  readonly bounded?: true
}

const cases: Readonly<Record<string, Case>> = {
  absent: { results: undefined },
  empty: { results: [undefined, undefined] },
  null: { results: [null, null] },
  zero: { results: [0, 0], input: 0 },
  negative: { results: [-5, -7], input: 0, anomaly: true },
  'no output': { results: [10, undefined], input: 10 },
  'no input': { results: [undefined, 3], output: 3 },
  'one of each': { results: [1, 1], input: 1, output: 1 },
  absurd: { results: [1e18, 1e18], anomaly: true, bounded: true },
  'text for numbers': { results: ['7', '9'] },
  objects: { results: [{ a: 1 }, [3]] },
  fractions: { results: [1.5, 2.5], input: 2, output: 3, anomaly: true },
}

for (const pair of pairs) {
  const { client, dialect, name } = pair

  t.test(
    `[BILL-1] usage of any kind costs ${name} what was delivered, never less than nothing`,
    async (t) => {
      for (const [kind, { results, input, output, anomaly, bounded }] of Object.entries(cases)) {
        const usage = results && dialect.usage(...results)
        for (const stream of [true, false]) {
          const what = `${kind}, ${stream ? 'streamed' : 'whole'}`
          upstream.script(
            stream
              ? inPieces([Buffer.from(streamOf(dialect, [text], usage))])
              : json(200, dialect.whole(text, usage)),
          )
          const { quota, rows } = await gateway.charged(async () => {
            const answer = await gateway.send(pair, { stream })
            t.equal(answer.status, 200, what)
            const body = await answer.text()
            if (stream) t.match(client.read(body), { text, complete: true }, what)
            else t.equal(client.textOf(JSON.parse(body)), text, what)
          })
          t.equal(rows.length, 1, what)
          const [row] = rows
          t.equal(Number(quota), row!.prompt_tokens + 4 * row!.completion_tokens, what)
          if (bounded) {
            t.ok(row!.prompt_tokens > 0 && row!.prompt_tokens <= most.input, what)
            t.ok(row!.completion_tokens > 0 && row!.completion_tokens <= most.output, what)
            t.equal(row!.detail.usage_anomaly, true, `${what}: flagged`)
            continue
          }
          const counted = row!.detail.admin_info?.local_count_tokens ?? []
          t.equal(counted.includes('input'), input === undefined, `${what}: input`)
          t.equal(counted.includes('output'), output === undefined, `${what}: output`)
          if (input !== undefined) t.equal(row!.prompt_tokens, input, what)
          else t.ok(row!.prompt_tokens > 0 && row!.prompt_tokens < 20, what)
          if (output !== undefined) t.equal(row!.completion_tokens, output, what)
          else t.ok(row!.completion_tokens > 3 && row!.completion_tokens < 10, what)
          if (anomaly) t.equal(row!.detail.usage_anomaly, true, `${what}: flagged`)
        }
      }
    },
  )

  t.test(`nothing delivered and nothing counted costs ${name} nothing (M10)`, async (t) => {
    upstream.script(inPieces([Buffer.from(streamOf(dialect, []))]))
    const { quota } = await gateway.charged(async () => {
      await (await gateway.send(pair, { stream: true })).text()
    })
    t.equal(quota, 0n)
  })
}
