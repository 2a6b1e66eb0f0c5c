/** The upstream's socket in the operation's events, between a reader that pauses and an upstream that does. */
import t from 'tap'
import type { FrameTranslator, TranslatedFrames } from '../../../../kernel/contract/frames.js'
import { limits } from '../../../../kernel/toolkit/limits/index.js'
import {
  TranslatedSocket,
  translatorWaitMs,
} from '../../../../plugins/stages/upstream/translated-socket.js'
import { FakeClock } from '../../../kit/clock.js'
import { FakeSocket } from '../../../kit/socket-fakes.js'

const frames = (texts: readonly string[]) => texts.map((text) => Buffer.from(text))

/** Doubles what the upstream sends; `wait` of the client keeps it waiting until the upstream sends `go`. */
class Doubling implements FrameTranslator {
  private waits = false

  opened(): TranslatedFrames {
    return this.taken([], ['hello'])
  }
  fromClient(frame: Buffer): TranslatedFrames {
    if (frame.toString() === 'wait') this.waits = true
    const isEcho = frame.toString() === 'echo'
    if (frame.toString() === 'loud') return this.taken([], ['x'.repeat(1000)])
    return this.taken([`up ${frame}`], isEcho ? ['echoed'] : [])
  }
  fromUpstream(frame: Buffer): TranslatedFrames {
    if (frame.length > 1000) return this.taken([], [])
    if (frame.toString() === 'go') this.waits = false
    return this.taken([], [`${frame} 1`, `${frame} 2`])
  }
  private taken(toUpstream: string[], toClient: string[]): TranslatedFrames {
    return { toUpstream: frames(toUpstream), toClient: frames(toClient), waits: this.waits }
  }
}

function setup() {
  const upstream = new FakeSocket()
  const clock = new FakeClock()
  const socket = new TranslatedSocket(upstream, new Doubling(), clock)
  const heard: string[] = []
  const consume = (each: (text: string) => void = () => {}) =>
    socket.consume({
      frame: (bytes) => {
        heard.push(bytes.toString())
        each(bytes.toString())
      },
      drained: () => heard.push('drained'),
      closed: (code) => heard.push(`closed ${code}`),
    })
  return { upstream, socket, heard, consume, clock }
}

t.test(
  '[RT-1] the opening comes first, once, and each side gets what is meant for it',
  async (t) => {
    const { upstream, socket, heard, consume } = setup()
    consume()
    consume()
    upstream.say('a')
    t.equal(socket.send(Buffer.from('echo'), false), true)
    t.strictSame(heard, ['hello', 'a 1', 'a 2', 'echoed'])
    t.strictSame(upstream.sent, ['up echo'])
    socket.close(1000, '')
    t.strictSame(upstream.closedWith, [1000, ''])
  },
)

t.test(
  '[RT-1] a reader that pauses amid the frames of one gets the rest when it goes on',
  async (t) => {
    const { upstream, socket, heard, consume } = setup()
    consume((text) => {
      if (text === 'hello' || text === 'a 1') socket.pause()
    })
    t.strictSame(heard, ['hello'])
    consume((text) => {
      if (text === 'a 1') socket.pause()
    })
    socket.resume()
    upstream.say('a')
    t.strictSame(heard, ['hello', 'a 1'])
    upstream.leave(1000)
    t.strictSame(heard, ['hello', 'a 1'], 'the end comes behind what waits')
    socket.resume()
    t.strictSame(heard, ['hello', 'a 1', 'a 2', 'closed 1000'])
  },
)

t.test(
  '[RT-1] the client waits for an upstream that is slow, and for the translator',
  async (t) => {
    const { upstream, socket, heard, consume } = setup()
    consume()
    upstream.accepts = false
    t.equal(socket.send(Buffer.from('b'), false), false)
    upstream.drain()
    t.strictSame(heard, ['hello', 'drained'])
    t.equal(socket.send(Buffer.from('wait'), false), false)
    upstream.drain()
    t.equal(heard.filter((text) => text === 'drained').length, 1)
    upstream.say('go')
    t.strictSame(heard.slice(2), ['go 1', 'go 2', 'drained'])
    t.equal(socket.send(Buffer.from('c'), false), true)
  },
)

t.test(
  '[RT-1] a translator that waits for ever loses the upstream, one that is done does not',
  async (t) => {
    for (const isDone of [true, false]) {
      const { upstream, socket, consume, clock } = setup()
      consume()
      socket.send(Buffer.from('wait'), false)
      if (isDone) upstream.say('go')
      clock.advance(translatorWaitMs)
      t.strictSame(upstream.closedWith, isDone ? undefined : [1011, ''])
    }
  },
)

t.test('[S16] a client that sends and reads nothing is not read on', async (t) => {
  const { socket, heard, consume } = setup()
  consume()
  socket.pause()
  let sent = 0
  while (socket.send(Buffer.from('loud'), false)) {
    sent += 1
    if (sent > limits.sinkBufferBytesMax) break
  }
  t.ok(sent * 1000 <= limits.sinkBufferBytesMax, 'what waits for it is bounded')
  t.notOk(heard.includes('drained'))
  socket.resume()
  t.equal(heard.filter((text) => text.startsWith('x')).length, sent + 1)
  t.equal(heard.filter((text) => text === 'drained').length, 1, 'it goes on once it has read')
  t.equal(socket.send(Buffer.from('a'), false), true)
})

t.test('[S16] an upstream that only sends what nobody is shown is given up', async (t) => {
  const { upstream, consume } = setup()
  consume()
  const frame = 'w'.repeat(limits.preambleBytesMax / 4)
  const times = (count: number) => Array.from({ length: count }).map(() => upstream.say(frame))
  times(4)
  upstream.say('a')
  times(4)
  t.equal(upstream.closedWith, undefined)
  times(1)
  t.strictSame(upstream.closedWith, [1011, ''])
})
