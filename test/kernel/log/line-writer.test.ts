/** How lines of the log leave: together, in order, whole, and without anybody waiting for their reader. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { LineWriter } from '../../../kernel/log/line-writer.js'

/** A reader that takes so many bytes, or refuses with a code. */
function reader(takes = Number.POSITIVE_INFINITY) {
  const writes: string[] = []
  const state = { takes, code: 'EAGAIN', pauses: 0, onPause: () => {} }
  const writer = new LineWriter(
    {
      write(bytes) {
        if (state.takes === 0) throw Object.assign(new Error('no'), { code: state.code })
        const taken = Math.min(bytes.length, state.takes)
        state.takes -= taken
        writes.push(Buffer.from(bytes.subarray(0, taken)).toString('latin1'))
        return taken
      },
      pause() {
        state.pauses += 1
        state.onPause()
      },
    },
    (dropped) => `dropped ${dropped}\n`,
  )
  return { writer, writes, state }
}

t.test('the lines of one turn leave in one write, in order', async (t) => {
  const { writer, writes } = reader()
  for (const line of ['a\n', 'b\n', 'c\n']) writer.write(line)
  t.strictSame(writes, [])
  await turn()
  t.strictSame(writes, ['a\nb\nc\n'])
  writer.write('d\n')
  await turn()
  t.strictSame(writes, ['a\nb\nc\n', 'd\n'])
})

t.test('many bytes leave within the turn', async (t) => {
  const { writer, writes } = reader()
  for (let at = 0; at < 65; at += 1) writer.write(`${'x'.repeat(1023)}\n`)
  t.equal(writes.length, 1)
  t.equal(writes[0]?.length, 64 * 1024)
  await turn()
  t.equal(writes.join('').length, 65 * 1024)
})

t.test('what a reader does not take at once waits for it, whole and in order', async (t) => {
  const { writer, writes, state } = reader(5)
  writer.write('first\n')
  writer.write('second\n')
  await turn()
  t.strictSame(writes, ['first'])
  writer.write('third\n')
  await turn()
  t.strictSame(writes, ['first'], 'it is not tried with every turn')
  state.takes = Number.POSITIVE_INFINITY
  writer.end()
  t.equal(writes.join(''), 'first\nsecond\nthird\n')
  t.equal(writer.dropped(), 0)
})

t.test('beyond a bound lines are dropped, and their number is logged once', async (t) => {
  const { writer, writes, state } = reader(0)
  const line = `${'x'.repeat(1023)}\n`
  const held = 4 * 1024
  for (let at = 0; at < held + 3; at += 1) writer.write(line)
  t.equal(writer.dropped(), 3)
  state.takes = Number.POSITIVE_INFINITY
  writer.end()
  writer.write('next\n')
  writer.end()
  const lines = writes.join('').split('\n')
  t.equal(lines.filter((one) => one.startsWith('x')).length, held)
  t.strictSame(lines.slice(held), ['dropped 3', 'next', ''])
  writer.write('last\n')
  await turn()
  t.equal(writes.at(-1), 'last\n', 'a number that was logged is not logged again')
})

t.test('the end waits for a reader for as long as it takes something', async (t) => {
  const slow = reader(2)
  slow.state.onPause = () => {
    slow.state.takes = 2
  }
  slow.writer.write('a line of some length\n')
  slow.writer.end()
  t.equal(slow.writes.join(''), 'a line of some length\n')
  const gone = reader(0)
  gone.writer.write('nobody\n')
  gone.writer.end()
  t.equal(gone.state.pauses, 100, 'two seconds')
})

t.test(
  'lines that cannot be written are counted, and no line is glued to half of one',
  async (t) => {
    const { writer, writes, state } = reader(9)
    writer.write('first\n')
    writer.write('second\n')
    writer.write('third\n')
    await turn()
    t.strictSame(writes, ['first\nsec'])
    state.code = 'ENOSPC'
    writer.end()
    t.equal(writer.dropped(), 2)
    writer.write('fourth\n')
    writer.end()
    t.equal(writer.dropped(), 3)
    state.takes = Number.POSITIVE_INFINITY
    writer.write('fifth\n')
    writer.end()
    t.equal(writes.join(''), 'first\nsec\nfifth\ndropped 3\n')
  },
)

const modules = new URL('../../../kernel/log/', import.meta.url).href

/** Logs as many lines as it is told with a message, at once; its last words are how long that took. */
const program = `
import { standardOutput } from '${modules}line-output.js'
import { LineWriter } from '${modules}line-writer.js'
const writer = new LineWriter(standardOutput(), (dropped) => JSON.stringify({ dropped }) + '\\n')
process.on('exit', () => writer.end())
process.on('message', ({ count, exit }) => {
  const began = performance.now()
  for (let at = 0; at < count; at += 1) {
    writer.write(JSON.stringify({ at, text: 'x'.repeat(200) }) + '\\n')
  }
  process.send(performance.now() - began, () => exit && process.exit(0))
})
`

function logging(t: { teardown(run: () => void): void }) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  t.teardown(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout! })
  return { child, lines }
}

t.test(
  'a real pipe nobody reads stalls nothing, and its reader gets whole lines later',
  async (t) => {
    const { child, lines } = logging(t)
    child.stdout!.pause()
    const sent = once(child, 'message')
    child.send({ count: 100_000 })
    await sent
    let [whole, dropped] = [0, 0]
    const all = new Promise<void>((resolve) => {
      lines.on('line', (line) => {
        const read: { readonly at?: number; readonly dropped?: number } = JSON.parse(line)
        if (read.at !== undefined) whole += 1
        dropped += read.dropped ?? 0
        if (whole + dropped >= 100_001) resolve()
      })
    })
    child.send({ count: 1 })
    lines.resume()
    child.stdout!.resume()
    await all
    t.ok(dropped > 0)
    t.equal(whole + dropped, 100_001)
  },
)

t.test('nothing is lost where the process ends in order', async (t) => {
  const { child, lines } = logging(t)
  const found: string[] = []
  lines.on('line', (line) => found.push(line))
  const closed = once(lines, 'close')
  child.send({ count: 15_000, exit: true })
  await closed
  t.equal(found.length, 15_000)
  t.equal(JSON.parse(found.at(-1)!).at, 14_999)
})
