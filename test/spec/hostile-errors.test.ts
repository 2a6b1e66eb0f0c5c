/** Upstreams that fail in the middle of what looks like success (S5, S17, M9, M10, M14). */
import t from 'tap'
import { json } from '../kit/upstream.js'
import type { Dialect } from './hostile-dialects.js'
import { byteByByte, dialects, hostileGateway, inPieces, pairs, speak } from './hostile-kit.js'

const gateway = await hostileGateway(t)
const { upstream, spare } = gateway
const secret = 'the words of the upstream'

t.beforeEach(() => {
  upstream.requests.length = 0
  spare.requests.length = 0
  spare.script(speak)
})

const stream = (text: string) => inPieces([Buffer.from(text)])

for (const pair of pairs) {
  const { client, dialect, name } = pair
  const { opening, text, closing, error, failed, ping } = dialect

  t.test(
    `[FMT-9] an error in place of content moves ${name} to the next channel (M14)`,
    async (t) => {
      const scripts = [
        json(200, failed(secret)),
        stream(error(secret)),
        stream([ping(), ping(), error(secret)].join('')),
        inPieces(byteByByte(Buffer.from([ping(), error(secret)].join('')))),
        stream(ping()),
        stream(''),
      ]
      for (const [number, script] of scripts.entries()) {
        upstream.script(script)
        const { quota, rows } = await gateway.charged(async () => {
          const answer = await gateway.send(pair, { stream: true, variant: 'twice' })
          t.equal(answer.status, 200)
          t.match(
            client.read(await answer.text()),
            { text: 'Hello there.', complete: true },
            `script ${number}`,
          )
        })
        t.equal(quota, 22n, `script ${number}`)
        t.equal(rows.length, 1)
        t.equal(rows[0]?.detail.failure, undefined)
      }
      t.equal(upstream.requests.length, scripts.length)
      t.equal(spare.requests.length, scripts.length)
    },
  )

  t.test(
    `[ERR-1] where no channel is left, ${name} gets one plain error, free of charge`,
    async (t) => {
      for (const script of [json(200, failed(secret)), stream(error(secret)), stream('')]) {
        for (const streams of [true, false]) {
          upstream.script(script)
          const { quota, rows } = await gateway.charged(async () => {
            const answer = await gateway.send(pair, { stream: streams })
            t.ok(answer.status >= 500)
            t.match(answer.headers.get('content-type'), 'application/json')
            const body = await answer.text()
            t.notMatch(body, secret)
            t.match(JSON.parse(body).error, { message: /./, type: /./, code: /./, param: '' })
          })
          t.equal(quota, 0n)
          t.equal(rows.length, 0)
        }
      }
    },
  )

  t.test(
    `[ERR-1] an error behind content reaches ${name} once, and what came is paid`,
    async (t) => {
      const frames = [...opening(), text('Hello '), text('there'), error(secret)]
      const more = [text(' and more'), ...closing('', dialect.usage(10, 3))]
      const scripts = [
        inPieces(frames.map((frame) => Buffer.from(frame))),
        inPieces(byteByByte(Buffer.from(frames.join('')))),
        stream(frames.join('')),
        stream([...frames, ...more].join('')),
        inPieces([...frames, ...more].map((frame) => Buffer.from(frame))),
      ]
      for (const script of scripts) {
        upstream.script(script)
        const { quota, rows } = await gateway.charged(async () => {
          const answer = await gateway.send(pair, { stream: true, variant: 'twice' })
          t.equal(answer.status, 200)
          const body = await answer.text()
          t.notMatch(body, secret)
          const reading = client.read(body)
          t.match(reading, { text: 'Hello there', complete: false })
          t.match(reading.error, { message: /./, code: /./ })
        })
        t.equal(rows.length, 1)
        const [row] = rows
        t.equal(Number(quota), row!.prompt_tokens + 4 * row!.completion_tokens)
        t.ok(
          row!.completion_tokens >= 1 && row!.completion_tokens <= 3,
          `${row!.completion_tokens}`,
        )
        t.equal(row!.detail.failure, 'upstream_error')
      }
      t.equal(spare.requests.length, 0, 'never retried behind content (S17)')
    },
  )

  t.test(
    `[FMT-10] a stream without its end is an error to ${name}, never an end made up (S5)`,
    async (t) => {
      const last = closing('Hello there.', dialect.usage(10, 3))
      const frames = [
        ...opening(),
        text('Hello '),
        text('there.'),
        ...last.slice(0, last.indexOf(endOf(dialect, last))),
      ]
      const whole = `${frames.join('')}${endOf(dialect, last)}`
      const scripts = [
        stream(frames.join('')),
        inPieces(
          frames.map((frame) => Buffer.from(frame)),
          'break',
        ),
        // Cut inside the very last event, and inside one before.
        stream(whole.slice(0, -6)),
        inPieces([Buffer.from(whole.slice(0, -6))], 'break'),
        stream([...opening(), text('Hello '), text('there.'), text('cut').slice(0, -9)].join('')),
      ]
      for (const [number, script] of scripts.entries()) {
        upstream.script(script)
        const { quota, rows } = await gateway.charged(async () => {
          const body = await (await gateway.send(pair, { stream: true })).text()
          const reading = client.read(body)
          t.equal(reading.complete, false, `script ${number}`)
          t.match(reading, { text: 'Hello there.' }, `script ${number}`)
          t.match(reading.error, { message: /./, code: /./ }, `script ${number}`)
          t.notMatch(body, '[DONE]')
        })
        t.equal(rows.length, 1)
        t.ok(quota > 0n)
        t.equal(rows[0]?.detail.failure, 'upstream_broke_off')
      }
    },
  )
}

/** The frame without which nobody may take the answer for whole: a chat stream may close behind its reason to stop. */
function endOf({ name }: Dialect, closing: readonly string[]): string {
  return name === 'chat' ? closing[0]! : closing.at(-1)!
}

t.test('the dialects are as the gateway reads them', async (t) => {
  upstream.script(speak)
  t.equal(dialects.length, 4)
  for (const pair of pairs) {
    const whole = await gateway.send(pair)
    t.equal(pair.client.textOf(await whole.json()), 'Hello there.', pair.name)
    const streamed = await gateway.send(pair, { stream: true })
    t.match(pair.client.read(await streamed.text()), { text: 'Hello there.', complete: true })
  }
})
