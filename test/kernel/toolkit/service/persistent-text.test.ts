/** Text of others on its way into a table (X17). */
import t from 'tap'
import {
  persistentText,
  persistentTextMax,
  truncationMarker,
} from '../../../../kernel/toolkit/service/persistent-text.js'

const codePoints = (text: string) => Array.from(text).length

t.test('[API-7] newlines, tabs and other control characters become spaces (X17)', async (t) => {
  t.equal(persistentText('a\nb\tc\r\nd'), 'a b c  d')
  t.equal(persistentText('a\u0000b\u001bc\u2028d\u0085e'), 'a b c d e')
  t.equal(persistentText('as it was: 日本語 🧾'), 'as it was: 日本語 🧾')
})

t.test('[API-7] at most 4096 Unicode characters stay, with a marker where more were', async (t) => {
  const table: readonly (readonly [name: string, text: string, cut: boolean])[] = [
    ['nothing', '', false],
    ['exactly the limit', 'x'.repeat(persistentTextMax), false],
    ['one more', 'x'.repeat(persistentTextMax + 1), true],
    ['exactly the limit in pairs', '🧾'.repeat(persistentTextMax), false],
    ['one more pair', '🧾'.repeat(persistentTextMax + 1), true],
    ['a pair over the edge', `${'x'.repeat(persistentTextMax - 1)}🧾🧾`, true],
    ['megabytes', '\n🧾x'.repeat(1_000_000), true],
  ]
  for (const [name, text, cut] of table) {
    const kept = persistentText(text)
    t.equal(codePoints(kept), Math.min(codePoints(text), persistentTextMax), name)
    t.equal(kept.endsWith(truncationMarker), cut, name)
    t.notMatch(kept, /\p{Surrogate}/u, name)
    if (!cut) t.equal(kept, text, name)
  }
})

t.test('half a character becomes the replacement character', async (t) => {
  t.equal(persistentText('a\ud83eb'), 'a\ufffdb')
})
