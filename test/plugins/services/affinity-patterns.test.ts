/** Patterns of affinity rules: linear in the text, bounded in number and size. */
import { RE2JS } from 're2js'
import t from 'tap'
import {
  compiledMax,
  faultOfPattern,
  Patterns,
  patternCharactersMax,
  patternOf,
  textCharactersMax,
} from '../../../plugins/services/affinity/patterns.js'

/** Far above what linear matching takes, far below what backtracking would. */
const soonMs = 500

t.test('[ROUTE-16] text that makes backtracking explode is matched in linear time', async (t) => {
  const rows = [
    ['^(a+)+$', `${'a'.repeat(28)}b`],
    ['^(a+)+$', `${'a'.repeat(textCharactersMax - 1)}b`],
    ['^(a|aa)*$', `${'a'.repeat(textCharactersMax - 1)}b`],
    ['(x+x+)+y', 'x'.repeat(textCharactersMax)],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(textCharactersMax)],
  ] as const
  for (const [source, text] of rows) {
    const patterns = new Patterns()
    const begun = performance.now()
    t.equal(patterns.test(patternOf(source), text), false, source)
    t.equal(patterns.capture(patternOf(source), text), undefined, source)
    t.ok(performance.now() - begun < soonMs, `${source} in time`)
  }
})

t.test('[ROUTE-16] 4096 compiled patterns are kept, the longest unused goes first', async (t) => {
  t.equal(compiledMax, 4096)
  const patterns = new Patterns()
  for (let at = 0; at < compiledMax + 10; at++) patterns.test(patternOf(`^p${at}$`), 'p')
  t.equal(patterns.size, compiledMax)
  t.equal(patterns.test(patternOf('^p0$'), 'p0'), true, 'one that went is compiled again')
  t.equal(patterns.size, compiledMax)
})

t.test('[ROUTE-16] a pattern that is in use stays, however long ago it was compiled', async (t) => {
  const patterns = new Patterns()
  const use = (at: number) => patterns.test(patternOf(`^p${at}$`), 'p')
  for (let at = 0; at < compiledMax; at++) use(at)
  use(0)
  use(compiledMax)
  const compiled = t.capture(RE2JS, 'compile', RE2JS.compile)
  use(0)
  t.equal(compiled().length, 0, 'the first is kept, since it was used again')
  use(1)
  t.match(compiled(), [{ args: ['^p1$', 0] }], 'the second went, unused for longest')
})

t.test('[ROUTE-16] patterns that differ in flags alone are kept apart', async (t) => {
  const patterns = new Patterns()
  const caseInsensitive = 1
  t.equal(patterns.test(patternOf('^gpt'), 'GPT-5'), false)
  t.equal(patterns.test(patternOf('^gpt', caseInsensitive), 'GPT-5'), true)
  t.equal(patterns.test(patternOf('^gpt'), 'GPT-5'), false)
  t.equal(patterns.size, 2)
})

t.test('a capture is the first group, or all that matched', async (t) => {
  const patterns = new Patterns()
  const rows = [
    ['session_(\\w+)', 'user_1_session_abc', 'abc'],
    ['s\\d+', 'x s12 s34', 's12'],
    ['(a)|b', 'xbx', 'b'],
    ['(a?)b', 'b', ''],
    ['(?:a)(b)(c)', 'abc', 'b'],
    ['z', 'abc', undefined],
  ] as const
  for (const [source, text, key] of rows) {
    t.equal(patterns.capture(patternOf(source), text), key, `${source} in ${text}`)
  }
})

t.test('a text longer than the bound matches nothing', async (t) => {
  const patterns = new Patterns()
  const pattern = patternOf('a')
  const longest = 'a'.repeat(textCharactersMax)
  t.equal(patterns.test(pattern, longest), true)
  t.equal(patterns.test(pattern, `${longest}a`), false)
  t.equal(patterns.capture(pattern, `${longest}a`), undefined)
})

t.test('a pattern that cannot be used is distinguished', async (t) => {
  const rows = [
    ['', 'must not be empty'],
    ['a'.repeat(patternCharactersMax + 1), 'must have at most 1024 characters'],
    ['(', 'is no regular expression this gateway can use: missing closing )'],
    ['a(?=b)', /^is no regular expression this gateway can use: /],
    ['(a)\\1', /^is no regular expression this gateway can use: /],
    ['(?:a?){1000}a{1000}', 'repeats too much to be matched in good time'],
    ['('.repeat(1000), /^is no regular expression this gateway can use/],
  ] as const
  for (const [source, fault] of rows) t.match(faultOfPattern(source), fault, source.slice(0, 30))
  for (const source of ['^gpt-', '(?i)claude', '\\p{L}+', 'a'.repeat(1000)]) {
    t.equal(faultOfPattern(source), undefined, source.slice(0, 30))
  }
})
