/** A stream in its own framing: handed on in the format's own, with pauses, ends, breaks and aborts as they come. */
import t from 'tap'
import type { ByteConsumer } from '../../../../kernel/contract/bytes.js'
import type { Transform } from '../../../../kernel/contract/format.js'
import type { Adapter } from '../../../../kernel/contract/provider.js'
import { unframed } from '../../../../plugins/stages/upstream/unframe.js'
import { FakeSource } from '../../../kit/fakes.js'
import { brokenUpstream } from '../../../kit/line-fakes.js'

/** Each letter is a frame of its own; what is behind the last `;` comes out at the end. */
function letters(): Transform<Buffer, Buffer> {
  let rest = ''
  return {
    push(chunk) {
      const parts = (rest + chunk.toString()).split(';')
      rest = parts.pop() ?? ''
      return parts.map((part) => Buffer.from(`<${part}>`))
    },
    flush: () => (rest === '' ? [] : [Buffer.from(`<${rest}>`)]),
  }
}

const adapter: Adapter = {
  format: 'chat',
  unframe: letters,
  address: () => ({ method: 'POST', url: '', headers: {} }),
  fail: () => brokenUpstream,
}

class Reader implements ByteConsumer {
  readonly results: string[] = []
  accepts = true

  data(chunk: Buffer): boolean {
    this.results.push(chunk.toString())
    return this.accepts
  }

  end(): void {
    this.results.push('end')
  }

  fail(): void {
    this.results.push('fail')
  }
}

function opened(type = 'application/vnd.own') {
  const source = new FakeSource()
  const reply = unframed(
    { adapter },
    { status: 200, headers: { 'content-type': type }, body: source },
  )
  const reader = new Reader()
  reply.body.consume(reader)
  return { source, reader, reply }
}

t.test('a chunk is handed on in one piece, and a chunk without a frame not at all', async (t) => {
  const { source, reader } = opened()
  source.push('a;b;c')
  source.push('d')
  source.push(';')
  source.end()
  t.same(reader.results, ['<a><b>', '<cd>', 'end'])
})

t.test('a pause of the reader pauses the upstream', async (t) => {
  const { source, reader, reply } = opened()
  reader.accepts = false
  source.push('a')
  t.notOk(source.paused, 'nothing was read yet')
  source.push(';')
  t.ok(source.paused)
  reply.body.resume()
  t.equal(source.resumed, 1)
})

t.test(
  'what the end releases comes before it, and the end waits for a reader that pauses',
  async (t) => {
    const { source, reader, reply } = opened()
    reader.accepts = false
    source.push('last')
    source.end()
    t.same(reader.results, ['<last>'])
    reply.body.resume()
    t.same(reader.results, ['<last>', 'end'])
    t.equal(source.resumed, 0)
  },
)

t.test('breaks and aborts pass', async (t) => {
  const broken = opened()
  broken.source.push('a;')
  broken.source.fail()
  t.same(broken.reader.results, ['<a>', 'fail'])
  const aborted = opened()
  aborted.reply.body.abort()
  t.ok(aborted.source.aborted)
})

t.test(
  'what comes as server-sent events already, or has no framing of its own, is left alone',
  async (t) => {
    const reply = {
      status: 200,
      headers: { 'content-type': 'Text/Event-Stream; charset=utf-8' },
      body: new FakeSource(),
    }
    t.equal(unframed({ adapter }, reply), reply)
    const plain = { ...adapter, unframe: undefined }
    const other = { ...reply, headers: { 'content-type': 'application/vnd.own' } }
    t.equal(unframed({ adapter: plain }, other), other)
  },
)
