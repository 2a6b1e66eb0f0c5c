/** No regular expression of the process takes more than linear time over what a stranger, a client or an upstream wrote. */
import { check, type VulnerableDiagnostics } from 'recheck'
import t from 'tap'
import { cpuMs, least } from '../kit/turn.js'
import { doubtfulAlternatives, isPlainlyLinear, type Pattern, patternsOf } from './patterns.js'

const verdictMs = 5_000

/** Patterns that are not linear over any text, or of which it cannot be shown, and why that harms nobody. */
const excused: Readonly<Record<string, string>> = {
  '\\/+$': 'addresses that admins write, of some thousand characters at most',
  '0+$': 'the digits of an amount, 140 at most',
  '"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"(\\s*:)?': 'read as JSON before: every string is closed',
  '"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"|-?\\d[\\d.eE+-]*': 'read as JSON before: every string is closed',
  '^\\s*(un)?listen\\s+(?:"((?:[^"]|"")+)"|([\\w$]+|\\*))\\s*;?\\s*$': "SQL of the gateway's own",
  '\\bcopy\\b[^;]*\\bfrom\\s+stdin\\b': "SQL of the gateway's own",
  '\\b(?:[a-z0-9-]{1,63}\\.){1,6}(?:com|cn|net|org|io|ai|dev|app|cloud|co|local|internal)\\b(?::\\d+)?(?:\\/\\S*)?':
    'each of its parts is bounded, and so is the text (safeText)',
  '(file:\\/\\/[^\\s()]+|(?:[A-Za-z]:)?[\\\\/][^():]+):\\d+:\\d+': 'the last 64 KiB of a stack',
}

t.test('every regular expression is linear, or excused by name', async (t) => {
  const patterns = patternsOf(['kernel', 'plugins', 'providers', 'config'])
  t.ok(patterns.length > 300, 'they were found')
  const doubtful = patterns.filter((pattern) => !isPlainlyLinear(pattern))
  t.ok(doubtful.length > 50 && doubtful.length < patterns.length)
  const used = new Set<string>()
  const waiting = [...doubtful]
  await Promise.all([judgeAll(), judgeAll()])
  t.strictSame(
    Object.keys(excused).filter((source) => !used.has(source)),
    [],
    'nobody is excused who is not there',
  )

  async function judgeAll(): Promise<void> {
    for (let pattern = waiting.shift(); pattern !== undefined; pattern = waiting.shift()) {
      await judge(pattern)
    }
  }

  async function judge({ source, flags, file }: Pattern): Promise<void> {
    if (Object.hasOwn(excused, source)) {
      used.add(source)
      return
    }
    for (const part of doubtfulAlternatives(source)) {
      const verdict = await check(part, flags, { timeout: verdictMs })
      // A verdict that takes too long is none; what is quadratic is found early.
      const isSlow =
        verdict.status === 'vulnerable' && growsTooFast(new RegExp(part, flags), verdict)
      const words = verdict.status === 'vulnerable' ? verdict.complexity.summary : verdict.status
      t.ok(!isSlow, `${file} /${part}/${flags}: ${words}`)
    }
  }
})

/**
 * Whether the attack that was found takes time with the square of its length, or worse. A fuzzer on a busy machine also reports
 * patterns that are merely slow once; four times the text must then take about four times as long, not sixteen.
 */
function growsTooFast(pattern: RegExp, { attack, complexity }: VulnerableDiagnostics): boolean {
  if (complexity.type !== 'polynomial' || complexity.degree > 2) return true
  const text = (times: number) =>
    attack.pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + attack.suffix
  const [short, long] = [text(2_000), text(8_000)]
  const growth = fastest(pattern, long) / Math.max(fastest(pattern, short), 0.02)
  return growth > 8
}

/**
 * Milliseconds of the processor, the least of a few runs. Of user and system together: how they share it is an estimate by the ticks
 * of a clock, which are longer than a run.
 */
function fastest(pattern: RegExp, text: string): number {
  return least(() => {
    const before = cpuMs()
    pattern.lastIndex = 0
    pattern.test(text)
    return cpuMs() - before
  }, 5)
}

t.test('a pattern that is not linear would be noticed', async (t) => {
  for (const source of ['(?:a|a)*$', '\\s+$', '"(?:[^"\\\\]|\\\\.)*"']) {
    const pattern = { source, flags: '', file: '' }
    t.notOk(isPlainlyLinear(pattern), source)
    const verdict = await check(source, '', { timeout: verdictMs })
    t.ok(verdict.status === 'vulnerable' && growsTooFast(new RegExp(source), verdict), source)
  }
  const linear = [
    '^a+$',
    '^[\\w-]*:',
    '[a-z]{1,5}',
    'a|b',
    '\\bsk-[\\w-]{8,}',
    'a|b|[|(]+',
    'a\\+b+',
  ]
  for (const source of linear) t.ok(isPlainlyLinear({ source }), source)
  const doubtful = [
    'a|b+c',
    '(?:a|b+)',
    '(?=a+)',
    '(?:ab)+',
    'a+b+',
    '[)]+\\)',
    '^a|b+$',
    '^(?:a|b)c*d',
  ]
  for (const source of doubtful) t.notOk(isPlainlyLinear({ source }), source)
})
