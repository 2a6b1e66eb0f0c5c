/** What a verbatim body costs beside parse and serialise: read and checked, then sent as it came or with another model. */
import { bytesOf, changed } from '../../kernel/toolkit/body/body.js'
import { readJson } from '../../kernel/toolkit/json/json.js'

const sizesKb = [2, 20, 200]
/** Of parse plus serialise. */
const goal = 0.5

export function runBodies(): void {
  console.log('us per body; the share of parse plus serialise in brackets\n')
  heading(['parse+serialise', 'as it came', 'other model'])
  for (const kb of sizesKb) {
    const bytes = bodyOf(kb * 1024)
    const both = time(() => Buffer.from(JSON.stringify(JSON.parse(bytes.toString()))), kb)
    const verbatim = time(() => readJson(bytes), kb)
    const mapped = time(() => {
      const value = readJson(bytes)
      return bytesOf(changed({ kind: 'json', value, bytes }, { ...value, model: 'other' }))
    }, kb)
    const cell = (us: number) => `${us.toFixed(1)} (${(us / both).toFixed(2)})`
    line(`${kb} KB`, [both.toFixed(1), cell(verbatim), cell(mapped)])
  }
  console.log(`\nGoal for 200 KB as it came: ${goal}.\n`)
}

const text = 'All is well with the relay. It goes on and on, and "quotes" are rare in it.\n'.repeat(
  12,
)

function bodyOf(size: number): Buffer {
  const messages = []
  for (let length = 0; length < size; length += text.length) {
    messages.push({ role: 'user', content: text })
  }
  return Buffer.from(JSON.stringify({ model: 'gpt-4o-mini', stream: true, messages }))
}

/** Median of rounds, microseconds. */
function time(work: () => unknown, kb: number): number {
  const times = Math.ceil(4000 / kb)
  const rounds = Array.from({ length: 15 }, () => {
    const started = performance.now()
    for (let at = 0; at < times; at++) work()
    return ((performance.now() - started) * 1000) / times
  })
  return rounds.sort((a, b) => a - b)[rounds.length >> 1]!
}

function heading(names: readonly string[]): void {
  line('', names)
}

function line(name: string, cells: readonly string[]): void {
  console.log(name.padEnd(10) + cells.map((cell) => cell.padStart(18)).join(''))
}
