/** Streams cut, framed and padded in every way the network and the standard allow (S1 to S4). */
import t from 'tap'
import { limits } from '../../kernel/toolkit/limits/limits.js'
import { byteByByte, hostileGateway, inPieces, pairs, speak, streamOf } from './hostile-kit.js'

const gateway = await hostileGateway(t)
const { upstream, spare } = gateway
const texts = ['Grüße', ' 你好', ' 🙂 \r\n', '\u2028\u0085ok']
const wholeText = texts.join('')

spare.script(speak)

for (const pair of pairs) {
  const { client, dialect, name } = pair
  const { opening, text, closing, ping } = dialect
  const usage = dialect.usage(10, 3)
  const whole = streamOf(dialect, texts, usage)

  t.test(
    `[FMT-9] cuts inside characters and line ends change nothing for ${name} (S1, S2)`,
    async (t) => {
      const framings = {
        LF: whole,
        CRLF: whole.replaceAll('\n', '\r\n'),
        CR: whole.replaceAll('\n', '\r'),
        mixed: whole.replaceAll('\n\n', '\r\n\r'),
        'no space behind the colon': whole.replaceAll('data: ', 'data:'),
        'byte order mark': `\uFEFF${whole}`,
        'ids and retry times': whole.replaceAll('data: ', 'id: 7\nretry: 10\ndata: '),
      }
      for (const [framing, message] of Object.entries(framings)) {
        upstream.script(inPieces(byteByByte(Buffer.from(message))))
        const { quota, rows } = await gateway.charged(async () => {
          const answer = await gateway.send(pair, { stream: true })
          const read = client.read((await answer.text()).replace(/^\uFEFF/, ''))
          t.strictSame(read, { text: wholeText, complete: true, error: undefined }, framing)
        })
        t.equal(quota, 22n, framing)
        t.equal(rows.length, 1)
      }
    },
  )

  t.test(`comments and pings are neither content nor an end to ${name} (S3)`, async (t) => {
    const quiet = [': \n\n', ':\n\n', '\n', '\n\n', ping(), ping()].join('')
    const frames = [...opening(), ...texts.map(text), ...closing(wholeText, usage)]
    const padded = frames.map((frame) => Buffer.from(`${quiet}${frame}`))
    for (const script of [
      inPieces(padded),
      inPieces([Buffer.concat(padded), Buffer.from(quiet)]),
    ]) {
      upstream.script(script)
      const { quota, rows } = await gateway.charged(async () => {
        const answer = await gateway.send(pair, { stream: true })
        t.match(client.read(await answer.text()), { text: wholeText, complete: true })
      })
      t.equal(quota, 22n)
      t.equal(rows.length, 1)
    }
  })

  t.test(`what follows the end of a stream never reaches ${name}`, async (t) => {
    const tails = [
      'data: [DONE]\n\n',
      'data: nonsense\n\n',
      dialect.error('late'),
      dialect.text('late'),
    ]
    for (const tail of dialect.name === 'generative' ? tails.slice(0, 0) : tails) {
      for (const script of [
        inPieces([Buffer.from(whole + tail)]),
        inPieces([Buffer.from(whole), Buffer.from(tail)]),
      ]) {
        upstream.script(script)
        const { quota, rows } = await gateway.charged(async () => {
          const answer = await gateway.send(pair, { stream: true })
          const read = client.read(await answer.text())
          t.strictSame(read, { text: wholeText, complete: true, error: undefined }, tail)
        })
        t.equal(quota, 22n, tail)
        t.equal(rows[0]?.detail.failure, undefined, tail)
      }
    }
  })

  t.test(`a large event passes to ${name} whole, in whatever pieces it came (S4)`, async (t) => {
    const large = 'word '.repeat(60_000)
    const bytes = Buffer.from(streamOf(dialect, ['Hello ', large, 'end'], usage))
    const pieces = Array.from({ length: Math.ceil(bytes.length / 50_021) }, (_, at) =>
      bytes.subarray(at * 50_021, (at + 1) * 50_021),
    )
    upstream.script(inPieces(pieces))
    const { quota } = await gateway.charged(async () => {
      const read = client.read(await (await gateway.send(pair, { stream: true })).text())
      t.ok(read.text === `Hello ${large}end`, `${read.text.length} characters`)
      t.ok(read.complete)
    })
    t.equal(quota, 22n)
  })

  t.test(
    `[ERR-1] an event that breaks off in its middle leaves ${name} a readable error (S4, S5)`,
    async (t) => {
      const torn = text('word '.repeat(60_000)).slice(0, 200_000)
      const frames = [...opening(), text('Hello '), torn].map((frame) => Buffer.from(frame))
      for (const last of ['end', 'break'] as const) {
        upstream.script(inPieces(frames, last))
        const { quota, rows } = await gateway.charged(async () => {
          const body = await (await gateway.send(pair, { stream: true })).text()
          const { complete, error } = client.read(body, 'torn')
          t.equal(complete, false, last)
          t.match(error, { message: /broke off/ }, last)
        })
        t.equal(rows.length, 1)
        t.ok(quota > 0n)
      }
    },
  )

  t.test(`[ERR-1] an event without end is cut off for ${name} at the bound (S4)`, async (t) => {
    const flood = Buffer.alloc(1024 * 1024, 'x')
    const floods = Array.from({ length: limits.eventBytesMax / flood.length + 1 }, () => flood)
    upstream.script(
      inPieces([...opening(), text('Hello '), 'data: {"x":"'].map(utf8).concat(floods), 'break'),
    )
    const { rows } = await gateway.charged(async () => {
      const answer = await gateway.send(pair, { stream: true })
      const { complete, error } = client.read(await answer.text(), 'torn')
      t.equal(complete, false)
      t.match(error, { message: /more than this gateway takes/ })
    })
    t.equal(rows.length, 1)
    upstream.script(inPieces([utf8('data: {"x":"'), ...floods], 'break'))
    const { quota } = await gateway.charged(async () => {
      const answer = await gateway.send(pair, { stream: true })
      t.equal(answer.status, 502)
      t.match(await answer.json(), { error: { message: /more than this gateway takes/ } })
    })
    t.equal(quota, 0n)
  })
}

function utf8(text: string): Buffer {
  return Buffer.from(text)
}
